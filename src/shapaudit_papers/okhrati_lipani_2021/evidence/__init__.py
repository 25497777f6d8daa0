"""What the claims of Okhrati & Lipani 2021 are judged by."""
