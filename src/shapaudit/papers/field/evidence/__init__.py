"""What the claims of The field since are judged by."""
