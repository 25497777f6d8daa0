"""What the claims of Chen, Covert, Lundberg & Lee 2023 are judged by."""
