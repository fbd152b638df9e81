__all__ = ["inside"]
