def lazy_weight():
    import still_more_helpers
    return still_more_helpers.WEIGHT
