"""Makes packages of PyTorch modules (docs/packages.md)."""
