import {
  clippedTo,
  DETAIL_SIZE,
  EDGE_SIZE,
  LABEL_SIZE,
  labelLines,
  LINE_HEIGHT,
} from '../../../protocol/graph/label-lines.ts';
import type { GraphEdge, GraphNode, GraphView } from '../../../protocol/web/graph-view.ts';
import { plainText } from '../../../protocol/plain-text.ts';

/** A picture that stands by itself: no fonts, no scripts, light or dark as its reader has it. */
export function svg({ width, height, nodes, edges }: GraphView, title: string): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${text(title)}</title>`,
    `<style>${STYLE}</style>`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>',
    `<rect class="ground" width="${width}" height="${height}"/>`,
    ...nodes.map(node),
    ...edges.map(edge),
    '</svg>',
  ].join('\n');
}

const STYLE = [
  'svg{--ink:#1f2328;--quiet:#59636e;--line:#8c959f;--box:#fff;--ground:#f6f8fa;--ok:#1a7f37;--bad:#cf222e;font-family:Inter,system-ui,sans-serif}',
  '@media(prefers-color-scheme:dark){svg{--ink:#e6edf3;--quiet:#9198a1;--line:#6e7681;--box:#161b22;--ground:#0d1117;--ok:#3fb950;--bad:#f85149}}',
  '.ground{fill:var(--ground)}.box{fill:var(--box);stroke:var(--line)}.open{fill-opacity:.55}.lane{stroke-dasharray:4 3}',
  '.ok{stroke:var(--ok)}.bad{stroke:var(--bad)}.start,marker path{fill:var(--line)}',
  '.edge{fill:none;stroke:var(--line);stroke-width:1.3}.back{stroke-dasharray:5 3}',
  `.label{fill:var(--ink);font-size:${LABEL_SIZE}px;font-weight:600}.detail{fill:var(--quiet);font-size:${DETAIL_SIZE}px}`,
  `.on{fill:var(--quiet);font-size:${EDGE_SIZE}px}.under{fill:var(--ground);fill-opacity:.85}`,
].join('');

const PADDING = 14;

function node(one: GraphNode): string {
  const { x, y, width, height, kind, label, detail, inside } = one;
  if (kind === 'start') return `<circle class="start" cx="${x + width / 2}" cy="${y + height / 2}" r="${width / 2}"/>`;
  const room = width - PADDING * 2;
  const isOpen = inside === 'open';
  const middle = isOpen ? 17 : detail === '' ? height / 2 : height / 2 - 9;
  const words = isOpen && detail !== '' ? `${label} · ${detail}` : label;
  const below =
    isOpen || detail === ''
      ? ''
      : `<text class="detail" x="${x + PADDING}" y="${y + height / 2 + 13}">${text(clippedTo(plain(detail), room, DETAIL_SIZE))}</text>`;
  return [
    `<g><title>${text(detail === '' ? label : `${label}: ${detail}`)}</title>`,
    `<rect class="${classOf(one)}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${kind === 'end' ? height / 2 : 7}"/>`,
    `<text class="label" x="${x + PADDING}" y="${y + middle + 4.5}">${text(clippedTo(plain(words), room, LABEL_SIZE * 1.06))}</text>`,
    `${below}</g>`,
  ].join('');
}

function classOf({ kind, inside, outcome }: GraphNode): string {
  const end = outcome === null ? [] : [outcome === 'ok' ? 'ok' : 'bad'];
  return ['box', ...(inside === 'open' ? ['open'] : []), ...(kind === 'lane' ? ['lane'] : []), ...end].join(' ');
}

function edge({ points, label, labelAt, isBack }: GraphEdge): string {
  const way = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  const line = `<path class="edge${isBack ? ' back' : ''}" marker-end="url(#tip)" d="${way}"/>`;
  if (labelAt === null) return line;
  const { x, y, width, height } = labelAt;
  const words = labelLines(plain(label)).map(
    (words, index) => `<tspan x="${x + 4}" y="${y + 13 + index * LINE_HEIGHT}">${text(words)}</tspan>`,
  );
  return [
    `<g><title>${text(label)}</title>${line}`,
    `<rect class="under" x="${x}" y="${y}" width="${width}" height="${height}"/>`,
    `<text class="on">${words.join('')}</text></g>`,
  ].join('');
}

const plain = (words: string): string => plainText(words).replaceAll(/\s+/g, ' ');

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const text = (words: string): string => plainText(words).replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);
