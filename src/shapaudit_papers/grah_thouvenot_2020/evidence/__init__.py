"""What the claims of Grah & Thouvenot 2020 are judged by."""
