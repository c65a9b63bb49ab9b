/** One thing that grows: what one of it takes, at several sizes. */
export interface GrowthPanel {
  readonly title: string;
  readonly points: readonly GrowthPoint[];
}

export interface GrowthPoint {
  readonly size: number;
  /** For one of them. */
  readonly us: number;
  readonly bytes: number;
}

const WIDTH = 236;
const HEIGHT = 190;
const LEFT = 14;
const TOP = 60;
const PLOT = { width: WIDTH - 2 * LEFT, height: 84 } as const;

const LINES = [
  { key: 'us', name: 'time', colour: '#2563eb' },
  { key: 'bytes', name: 'bytes', colour: '#c2410c' },
] as const;

/**
 * Time and bytes for one against how many there are, both by powers of ten and relative to the smallest size: a flat line is linear
 * growth. All panels have the same scale. It brings its own white ground, so that it is legible on dark pages too.
 */
export function growthChart(panels: readonly GrowthPanel[]): string {
  const width = panels.length * WIDTH;
  const ratios = panels.flatMap(({ points }) =>
    LINES.flatMap(({ key }) => points.map((point) => point[key] / (points[0]?.[key] ?? 1))),
  );
  // At least from a third to three times, so that noise does not look like growth.
  const up = scale([1 / 3, 3, ...ratios], PLOT.height);
  const drawn = panels.map((panel, at) => `<g transform="translate(${at * WIDTH} 0)">${panelOf(panel, up)}</g>`);
  const body = drawn.join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}" font-family="system-ui, sans-serif" font-size="11">
<title>Time and bytes for one of them, against how many there are</title>
<rect width="${width}" height="${HEIGHT}" fill="#ffffff"/>
${body}
</svg>
`;
}

function panelOf({ title, points }: GrowthPanel, up: (ratio: number) => number): string {
  const sizes = points.map(({ size }) => size);
  const across = scale(sizes, PLOT.width);
  const y = (ratio: number): number => TOP + PLOT.height - up(ratio);
  const grid = `<line x1="${LEFT}" x2="${LEFT + PLOT.width}" y1="${round(y(1))}" y2="${round(y(1))}" stroke="#d4d4d8"/>`;
  const ticks = sizes.map((size, at) => {
    const anchor = at === 0 ? 'start' : at === sizes.length - 1 ? 'end' : 'middle';
    return text(LEFT + across(size), TOP + PLOT.height + 18, size.toLocaleString('en-GB'), { anchor });
  });
  const lines = LINES.map(({ key, name, colour }, at) => {
    const first = points[0]?.[key] ?? 1;
    const places = points.map((point) => `${round(LEFT + across(point.size))},${round(y(point[key] / first))}`);
    const dots = places.map((place) => {
      const [cx, cy] = place.split(',');
      return `<circle cx="${cx}" cy="${cy}" r="2.5" fill="${colour}"/>`;
    });
    const last = points.at(-1)?.[key] ?? first;
    const from = key === 'us' ? timeText(first) : bytesText(first);
    const to = key === 'us' ? timeText(last) : bytesText(last);
    const legend = text(LEFT, 32 + at * 14, `${name} for one: ${from} → ${to}`, { fill: colour });
    return `${legend}<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>${dots.join('')}`;
  });
  return [text(LEFT, 16, title, { fill: '#18181b', weight: 600 }), grid, ...ticks, ...lines].join('');
}

/** A place by powers of ten, from the smallest of these values to the largest. */
function scale(values: readonly number[], length: number): (value: number) => number {
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  return (value) => (high === low ? length / 2 : ((Math.log10(value) - low) / (high - low)) * length);
}

const round = (value: number): number => Math.round(value * 10) / 10;

const timeText = (us: number): string =>
  us < 1000 ? `${Number(us.toPrecision(2))} µs` : `${Number((us / 1000).toPrecision(2))} ms`;

const bytesText = (bytes: number): string =>
  bytes < 1000 ? `${Math.round(bytes)} B` : `${Number((bytes / 1000).toPrecision(2))} kB`;

interface TextStyle {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly fill?: string;
  readonly weight?: number;
}

const text = (
  x: number,
  y: number,
  words: string,
  { anchor = 'start', fill = '#52525b', weight = 400 }: TextStyle,
): string =>
  `<text x="${round(x)}" y="${y}" text-anchor="${anchor}" fill="${fill}" font-weight="${weight}">${words}</text>`;
