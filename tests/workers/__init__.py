"""Tests of several processes on one port."""
