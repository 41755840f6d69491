"""Renders prompts and asks language models for rkb (protocol: docs/llm_helper.md)."""
