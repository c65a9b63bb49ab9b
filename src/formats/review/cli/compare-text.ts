import { durationText, knownCostText } from '../../../core/look/amount-text.ts';
import type { CompareView, EvidenceView, ImplementationView } from '../views/compare-view.ts';
import { severityCounts } from '../views/fold-compare.ts';
import type { TextOptions } from '../../../cli/terminal/terminal.ts';
import { counted, tokens } from '../../../protocol/amounts.ts';
import type { Style } from '../../../cli/terminal/colour.ts';
import { oneLine, plainText } from '../../../protocol/plain-text.ts';
import { decisionText } from './debate-text.ts';
import { paragraph, reviewHead } from './paragraph.ts';
import { wrapWords } from '../../../cli/terminal/wrap-words.ts';

interface SideRow {
  readonly label: string;
  /** One for each column. */
  readonly cells: readonly SideCell[];
}

interface SideCell {
  readonly text: string;
  readonly style?: Style | undefined;
}

const GAP = '  ';
const LEAST = 12;

/** Columns side by side, with wrapped cells; those without room follow in a block below. */
function sideBySide(rows: readonly SideRow[], options: TextOptions): string {
  const count = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const label = Math.max(0, ...rows.map((row) => row.label.length));
  const room = options.width - label;
  const most = Math.max(1, Math.floor(room / (LEAST + GAP.length)));
  const blocks: string[] = [];
  for (let from = 0; from < count; from += most) {
    const some = rows.map((row) => ({ ...row, cells: row.cells.slice(from, from + most) }));
    blocks.push(block(some, { label, room }, options));
  }
  return blocks.join('\n\n');
}

interface Space {
  readonly label: number;
  readonly room: number;
}

function block(rows: readonly SideRow[], { label, room }: Space, { paint }: TextOptions): string {
  const count = Math.max(1, ...rows.map(({ cells }) => cells.length));
  const widest = Math.max(LEAST, Math.floor(room / count) - GAP.length);
  const widths = Array.from({ length: count }, (_none, column) =>
    Math.min(widest, Math.max(...rows.map(({ cells }) => cells[column]?.text.length ?? 0))),
  );
  return rows
    .filter(({ cells }) => cells.some(({ text }) => text !== ''))
    .flatMap((row) => {
      const cells = row.cells.map(({ text, style }, column) => ({
        lines: cellLines(text, widths[column] ?? 0),
        style,
      }));
      const height = Math.max(1, ...cells.map(({ lines }) => lines.length));
      return Array.from({ length: height }, (_none, at) => {
        const parts = cells.map(({ lines, style }, column) => {
          const text = lines[at] ?? '';
          const pad = ' '.repeat(Math.max(0, (widths[column] ?? 0) - text.length));
          return `${style === undefined || text === '' ? text : paint(style, text)}${pad}`;
        });
        const head = (at === 0 ? row.label : '').padEnd(label);
        return [at === 0 ? paint('bold', head) : head, ...parts].join(GAP).trimEnd();
      });
    })
    .join('\n');
}

/** A word that is wider than its column is cut into pieces: the next column must stay where it is. */
const cellLines = (text: string, width: number): readonly string[] =>
  wrapWords(text, { width })
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${Math.max(1, width)}}`, 'gu')) ?? ['']);

/** Implementations side by side for people, then what needs more room than a column has. */
export function compareText(view: CompareView, options: TextOptions): string {
  const { implementations } = view;
  const head = [reviewHead(view, options), ...resultLines(view, options)].join('\n');
  if (implementations.length === 0) return `${head}\nNo agent has begun to implement it yet.`;
  const table = sideBySide(rowsOf(implementations), options);
  const remarks = implementations.flatMap((one) => remarksOn(one, options));
  return [head, table, ...(remarks.length === 0 ? [] : [remarks.join('\n')])].join('\n\n');
}

function resultLines(view: CompareView, options: TextOptions): readonly string[] {
  const { verify, pick, winner, isMerged, decision, unverified } = view;
  const line = (label: string, text: string): string =>
    paragraph(label.padEnd(10), text, { ...options, style: 'bold' });
  return [
    ...(verify === null ? [] : [line('verify', oneLine(verify, 300))]),
    ...(pick === null ? [] : [line('picked by', pick)]),
    ...(winner === null
      ? []
      : [
          line(
            'winner',
            `${winner}${isMerged ? ', merged' : unverified === null ? ', not merged' : ', NOT VERIFIED, not merged'}`,
          ),
        ]),
    ...(decision === null ? [] : [line('decision', decisionText(decision))]),
  ];
}

type Cell = (one: ImplementationView) => SideCell;

const CELLS: Readonly<Record<string, Cell>> = {
  '': ({ id }) => ({ text: id, style: 'bold' }),
  model: ({ models }) => ({ text: models.map((model) => oneLine(model, 60)).join(', ') }),
  standing: ({ standing }) => ({ text: STANDINGS[standing][0], style: STANDINGS[standing][1] }),
  outcome: ({ outcome, lost }) => ({ text: lost?.outcome ?? outcome ?? '' }),
  evidence: ({ evidence }) => evidenceCell(evidence),
  tampered: ({ evidence }) =>
    evidence?.tampered.length ? { text: counted(evidence.tampered.length, 'file'), style: 'red' } : { text: '' },
  diff: ({ diff }) => ({ text: diff === null ? '' : diffText(diff) }),
  findings: ({ findings, standing }) => ({
    text: UNSEEN.has(standing) ? '' : findingsText(findings),
  }),
  rank: ({ rank, points }) => ({ text: rank === null ? '' : `${rank} (${counted(points ?? 0, 'point')})` }),
  revisions: ({ revisions }) => ({ text: String(revisions) }),
  turns: ({ spending }) => ({ text: String(spending.turns) }),
  tokens: ({ spending }) => ({ text: tokens(spending.usage).replace(' tokens', '') }),
  cost: ({ spending }) => ({ text: knownCostText(spending, 'unknown') }),
  time: ({ spending }) => ({ text: durationText(spending.ms) }),
};

/** There is nothing that could have been found. */
const UNSEEN: ReadonlySet<ImplementationView['standing']> = new Set(['working', 'lost', 'unreviewed']);

const STANDINGS: Readonly<Record<ImplementationView['standing'], readonly [string, Style | undefined]>> = {
  merged: ['winner, merged', 'green'],
  best: ['the best', 'green'],
  unmerged: ['best, not merged', 'red'],
  unverified: ['best, NOT VERIFIED', 'red'],
  judged: ['is judged', undefined],
  unreviewed: ['not reviewed', undefined],
  aside: ['not chosen', 'dim'],
  lost: ['lost', 'red'],
  working: ['at work', 'yellow'],
};

const rowsOf = (implementations: readonly ImplementationView[]): readonly SideRow[] =>
  Object.entries(CELLS).map(([label, cell]) => ({ label, cells: implementations.map(cell) }));

function evidenceCell(evidence: EvidenceView | null): SideCell {
  if (evidence === null) return { text: '' };
  const { isGreen, exitCode, passed, failed, problem } = evidence;
  const counts = [passed === null ? '' : `${passed} passed`, failed === null || failed === 0 ? '' : `${failed} failed`];
  const how = isGreen ? 'green' : problem !== null ? 'red, no end' : `red (${exitCode ?? 'not run'})`;
  return { text: [how, ...counts].filter((part) => part !== '').join(', '), style: isGreen ? 'green' : 'red' };
}

function diffText({ files, added, removed, binary, of }: NonNullable<ImplementationView['diff']>): string {
  if (files === 0) return 'empty';
  const parts = [`${counted(files, 'file')} +${added} -${removed}`, binary === 0 ? '' : `${binary} binary`];
  return `${parts.filter((part) => part !== '').join(', ')}${of === 'first' ? ' at first' : ''}`;
}

function findingsText({ against, done }: ImplementationView['findings']): string {
  const stand = severityCounts(against).map(([severity, count]) => `${count} ${severity}`);
  const parts = [stand.length === 0 ? 'none' : stand.join(', '), done === 0 ? '' : `${done} done with`];
  return parts.filter((part) => part !== '').join('; ');
}

/** Why it is out, what it tampered with, and what the command said where it was red. */
function remarksOn({ id, lost, evidence }: ImplementationView, options: TextOptions): readonly string[] {
  const line = (text: string): string => paragraph(`${id}  `, text, { ...options, style: 'bold' });
  const tampered = evidence?.tampered.map(({ path, how }) => `${oneLine(path, 200)} ${how}`) ?? [];
  const isRed = evidence !== null && !evidence.isGreen;
  return [
    ...(lost === null
      ? []
      : [line(`lost: ${lost.outcome}${lost.reason === null ? '' : `, ${oneLine(lost.reason, 400)}`}`)]),
    ...(tampered.length === 0
      ? []
      : [line(`changed what the command is made of; yours was used: ${tampered.join(', ')}`)]),
    ...(isRed ? [line(`red:\n${lastWords(evidence)}`)] : []),
  ];
}

const LAST_LINES = 5;

function lastWords({ problem, output }: EvidenceView): string {
  const lines = plainText(output)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-LAST_LINES);
  const said = problem === null || output.includes(problem) ? lines : [problem, ...lines];
  return said.length === 0 ? 'it said nothing' : said.join('\n');
}
