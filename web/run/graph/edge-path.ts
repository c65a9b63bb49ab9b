/** The line of an edge: through all its points, with round corners, and a tip at its end. */

export interface EdgePoint {
  readonly x: number;
  readonly y: number;
}

const CORNER = 6;
const TIP = 7;

export function edgePath(points: readonly EdgePoint[]): string {
  const way = beforeTip(points);
  return way.map((point, index) => piece(way, point, index)).join('');
}

function piece(way: readonly EdgePoint[], point: EdgePoint, index: number): string {
  const [before, after] = [way[index - 1], way[index + 1]];
  if (before === undefined) return `M${text(point)}`;
  if (after === undefined) return `L${text(point)}`;
  const [into, out] = [towards(point, before, CORNER), towards(point, after, CORNER)];
  return `L${text(into)}Q${text(point)} ${text(out)}`;
}

/** The triangle at the end, in the direction of the last piece. */
export function tipPath(points: readonly EdgePoint[]): string {
  const [end, before] = [points.at(-1), points.at(-2)];
  if (end === undefined || before === undefined) return '';
  const base = towards(end, before, TIP);
  const [dx, dy] = [(end.x - base.x) / TIP, (end.y - base.y) / TIP];
  const side = (sign: number): EdgePoint => ({ x: base.x - sign * dy * (TIP / 2), y: base.y + sign * dx * (TIP / 2) });
  return `M${text(end)}L${text(side(1))}L${text(side(-1))}Z`;
}

/** The line ends where its tip begins, so that a thick line does not show around it. */
function beforeTip(points: readonly EdgePoint[]): readonly EdgePoint[] {
  const [end, before] = [points.at(-1), points.at(-2)];
  if (end === undefined || before === undefined) return points;
  return [...points.slice(0, -1), towards(end, before, TIP - 1)];
}

/** A point on the way to another, so far away, and never more than half of the way. */
function towards(from: EdgePoint, to: EdgePoint, distance: number): EdgePoint {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length === 0) return from;
  const part = Math.min(distance, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

const text = ({ x, y }: EdgePoint): string => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
