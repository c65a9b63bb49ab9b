/** A label that a worker offers and a run needs, such as `gpu`. */
export const LABEL = /^[\w.:-]{1,64}$/;
