/** Targets on the operator's deny-list, at most: all of them must fit a frame. */
export const MAX_DENIED = 5_000;
