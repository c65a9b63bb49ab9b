import type { Severity } from '../rules/finding.ts';
import type { MatrixCell } from '../rules/matrix.ts';
import type { FindingState } from '../rules/open-findings.ts';
import type { DebateView, FindingView, RoundView } from '../views/debate-view.ts';
import type { TextOptions } from '../../../cli/terminal/terminal.ts';
import type { Paint, Style } from '../../../cli/terminal/colour.ts';

/**
 * Findings × reviewers, a sign for each round, as a table that fits: reviewers who have no room in the first block follow below it,
 * and where a debate is longer than a line its last rounds are shown.
 */
export function matrixText(view: DebateView, { width, paint }: TextOptions): string {
  const left = leftColumns(view.findings);
  const room = Math.max(4, width - left.width);
  const rounds = shownRounds(view.rounds, room - GAP.length);
  const columns = view.reviewers.map(({ reviewer }, index) => {
    const name = shortName(reviewer, NAME);
    return { index, name, width: Math.max(name.length, rounds.width) };
  });
  const blocks = inBlocks(columns, room).map((block) => blockLines(block, { view, left, rounds, paint }).join('\n'));
  return [blocks.join('\n\n'), legend(view, paint)].join('\n');
}

const GAP = '  ';
const NAME = 12;

/** Names that begin alike often end differently. */
function shortName(name: string, width: number): string {
  if (name.length <= width) return name;
  const end = Math.floor((width - 1) / 2);
  return `${name.slice(0, width - 1 - end)}…${name.slice(-end)}`;
}

interface Left {
  readonly head: string;
  readonly rows: readonly (readonly [style: Style | null, text: string][])[];
  readonly width: number;
}

export const STATE_STYLES: Readonly<Record<FindingState, Style>> = {
  open: 'yellow',
  standing: 'red',
  fixed: 'green',
  withdrawn: 'dim',
  refuted: 'dim',
  resting: 'dim',
};

const SEVERITY_STYLES: Readonly<Record<Severity, Style | null>> = {
  critical: 'red',
  major: 'yellow',
  minor: null,
  nit: 'dim',
};

function leftColumns(findings: readonly FindingView[]): Left {
  const cells = findings.map(({ id, severity, implementation, state }) => [
    [null, id],
    [SEVERITY_STYLES[severity], severity],
    [null, shortName(implementation ?? 'all', NAME)],
    [STATE_STYLES[state], state],
  ]) as (readonly [Style | null, string])[][];
  const heads = ['', 'SEVERITY', 'OF', 'STATE'];
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...cells.map((row) => row[column]?.[1].length ?? 0)),
  );
  const padded = (text: string, column: number): string => text.padEnd(widths[column] ?? 0) + GAP;
  return {
    head: heads.map(padded).join(''),
    rows: cells.map((row) => row.map(([style, text], column) => [style, padded(text, column)])),
    width: widths.reduce((sum, one) => sum + one + GAP.length, 0),
  };
}

interface Shown {
  readonly list: readonly RoundView[];
  /** Earlier ones had no room. */
  readonly isCut: boolean;
  readonly width: number;
}

function shownRounds(all: readonly RoundView[], room: number): Shown {
  let list = all;
  while (list.length > 1 && roundsWidth(list) + Number(list !== all) > room) list = list.slice(1);
  const isCut = list.length < all.length;
  return { list, isCut, width: roundsWidth(list) + Number(isCut) };
}

/** A bar stands between two debates. */
const roundsWidth = (list: readonly RoundView[]): number =>
  list.length + list.filter((round, index) => isNewDebate(list, round, index)).length;

const isNewDebate = (list: readonly RoundView[], { debate }: RoundView, index: number): boolean =>
  index > 0 && list[index - 1]?.debate !== debate;

interface Column {
  readonly index: number;
  readonly name: string;
  readonly width: number;
}

function inBlocks(columns: readonly Column[], room: number): readonly (readonly Column[])[] {
  const blocks: Column[][] = [];
  let used = Infinity;
  for (const column of columns) {
    const wide = column.width + GAP.length;
    if (used + wide > room + GAP.length) {
      blocks.push([]);
      used = 0;
    }
    blocks.at(-1)?.push(column);
    used += wide;
  }
  return blocks;
}

interface Table {
  readonly view: DebateView;
  readonly left: Left;
  readonly rounds: Shown;
  readonly paint: Paint;
}

function blockLines(block: readonly Column[], { view, left, rounds, paint }: Table): readonly string[] {
  const line = (cells: readonly (readonly [text: string, painted: string])[]): string =>
    cells
      .map(([text, painted], at) => painted + ' '.repeat(Math.max(0, (block[at]?.width ?? 0) - text.length)))
      .join(GAP);
  const plain = (text: string): readonly [string, string] => [text, text];
  const numbers = signs(rounds, ({ round }) => [null, String(round % 10)]);
  const names = line(block.map(({ name }) => plain(name)));
  return [
    `${left.head}${names}`.trimEnd(),
    paint('dim', `${' '.repeat(left.width)}${line(block.map(() => plain(textOf(numbers))))}`.trimEnd()),
    ...view.findings.map((finding, row) => {
      const cells = block.map(({ index }) => cellSigns(finding, index, rounds));
      const begin = (left.rows[row] ?? [])
        .map(([style, text]) => (style === null ? text : paint(style, text)))
        .join('');
      return `${begin}${line(cells.map((cell) => [textOf(cell), paintedOf(cell, paint)]))}`.trimEnd();
    }),
  ];
}

type Sign = readonly [style: Style | null, glyph: string];

const textOf = (list: readonly Sign[]): string => list.map(([, glyph]) => glyph).join('');

const paintedOf = (list: readonly Sign[], paint: Paint): string =>
  list.map(([style, glyph]) => (style === null ? glyph : paint(style, glyph))).join('');

function signs({ list, isCut }: Shown, of: (round: RoundView) => Sign): readonly Sign[] {
  const all = list.flatMap((round, index): readonly Sign[] =>
    isNewDebate(list, round, index) ? [[null, '|'], of(round)] : [of(round)],
  );
  return isCut ? [[null, '…'], ...all] : all;
}

const SIGNS = {
  found: ['cyan', '+'],
  agree: ['green', '✓'],
  disagree: ['red', '✗'],
  fixed: ['green', '▪'],
  revise: ['yellow', '~'],
  silent: ['dim', '·'],
  nothing: [null, ' '],
} as const satisfies Readonly<Record<string, Sign>>;

function cellSigns(finding: FindingView, reviewer: number, rounds: Shown): readonly Sign[] {
  const cell = finding.stances[reviewer];
  return signs(rounds, (round) => (cell === undefined ? SIGNS.nothing : signOf(finding, cell, round)));
}

function signOf(finding: FindingView, cell: MatrixCell, round: RoundView): Sign {
  const said = cell.said.findLast((one) => inTime(one, round) === 0);
  if (said !== undefined) return SIGNS[said.stance];
  const since = inTime(finding, round);
  if (since === 0 && cell.isAuthor) return SIGNS.found;
  const isDebated = since < 0 && (finding.closed === null || inTime(finding.closed, round) >= 0);
  const hasSpoken = round.verdicts.some(({ reviewer }) => reviewer === cell.reviewer);
  return isDebated && hasSpoken ? SIGNS.silent : SIGNS.nothing;
}

type Moment = Pick<RoundView, 'debate' | 'round'>;

const inTime = (one: Moment, other: Moment): number => one.debate - other.debate || one.round - other.round;

/** On separate lines, so that it fits anywhere. */
function legend({ rounds }: DebateView, paint: Paint): string {
  const words = ['+ found', '✓ stands', '✗ does not stand', '▪ fixed', '~ in other words', '· silent'];
  const hasSeveral = rounds.some(({ debate }) => debate > 1);
  return paint(
    'dim',
    `A column a round, 0 is the first review${hasSeveral ? ', | a revision' : ''}.\n${words.join('  ')}`,
  );
}
