/** A list that has no further page. */
export const whole = <Item>(items: readonly Item[]) => ({ items, next: null });
