"""What the claims of Bell, Devanathan & Boyd 2024 are judged by."""
