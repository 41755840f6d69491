"""Renders prompts and asks language models for rkb. docs/llm_helper.md describes how both talk."""
