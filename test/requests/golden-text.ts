import { requestBlocks, type RequestBlock } from '../../src/actors/model/prefix-cache.ts';
import { blockText } from '../../src/app/trace/block-text.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import type { RecordedRun } from './record-run.ts';
import type { SentRequest } from './scripted-wire.ts';

/** The golden files of one recorded run: name and text of each. */
export function goldenFiles({ sent, folders }: RecordedRun): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const earlier = new Map<string, Earlier>();
  const counts = new Map<string, number>();
  // Runs below go side by side: their requests are grouped by run, and come in the order of their tasks.
  const ordered = sent.toSorted((one, other) => BY_NUMBER.compare(one.who.run ?? '', other.who.run ?? ''));
  for (const request of ordered) {
    const agent = request.who.agent ?? 'agent';
    const count = (counts.get(agent) ?? 0) + 1;
    counts.set(agent, count);
    const name = `${agent}-${count}`;
    const speaker = `${request.who.run} ${agent}`;
    const blocks = requestBlocks(request.body);
    files.set(`${name}.md`, normalised(requestText({ name, request, blocks, earlier: earlier.get(speaker) }), folders));
    earlier.set(speaker, { name, blocks });
  }
  return files;
}

const BY_NUMBER = new Intl.Collator('en', { numeric: true });

interface Earlier {
  readonly name: string;
  readonly blocks: readonly RequestBlock[];
}

interface Shown {
  readonly name: string;
  readonly request: SentRequest;
  readonly blocks: readonly RequestBlock[];
  readonly earlier: Earlier | undefined;
}

/** All of the first request of an agent; of those after it what is new. */
function requestText({ name, request, blocks, earlier }: Shown): string {
  const { who, body } = request;
  const { messages: _, system: __, tools: ___, stream: ____, ...settings } = body;
  const marks = blocks.flatMap(({ isMarked }, at) => (isMarked ? [placeOf(blocks, at)] : []));
  const lines = [
    `# ${name}`,
    '',
    `- run: ${who.run}, state: ${who.state}, visit ${who.visit}, call ${who.call}`,
    `- settings: ${JSON.stringify(settings)}`,
    `- cache marks: ${marks.length === 0 ? 'none' : marks.join(', ')}`,
    ...(['tools', 'system', 'messages'] as const).flatMap((section) => sectionText(section, blocks, earlier)),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Every built-in tool in full: requests name those that left like this. */
export function toolsFile(): string {
  const lines = BUILT_IN.map((block) => `- ${goldenBlock(block)}`);
  return `# Built-in tools\n\nRequests list these by name. Tools of a role or a turn are shown in full where they are offered.\n\n${lines.join('\n')}\n`;
}

/** Results follow their calls, so that they need not name their tool. */
export const goldenBlock = (block: RequestBlock): string => blockText(block, new Map());

const BUILT_IN = requestBlocks({
  tools: allTools.map(({ spec: { name, description, parameters } }) => ({
    name,
    description,
    input_schema: parameters,
  })),
});

const builtIn = new Set(BUILT_IN.map(goldenBlock));

const of = (blocks: readonly RequestBlock[], section: RequestBlock['section']): readonly RequestBlock[] =>
  blocks.filter((block) => block.section === section);

function placeOf(blocks: readonly RequestBlock[], at: number): string {
  const block = blocks[at];
  if (block === undefined) return '';
  const before = blocks.slice(0, at + 1).filter(({ section }) => section === block.section);
  return `${block.section} ${before.length}${block.section === 'tools' ? ` (${block.name})` : ''}`;
}

const TITLES = { tools: 'Tools', system: 'System', messages: 'Messages' };

function sectionText(
  section: RequestBlock['section'],
  all: readonly RequestBlock[],
  earlier?: Earlier,
): readonly string[] {
  const [blocks, before] = [of(all, section), of(earlier?.blocks ?? [], section)];
  let same = 0;
  while (same < before.length && before[same]?.text === blocks[same]?.text) same += 1;
  const isLonger = earlier !== undefined && same === before.length;
  const title = `\n## ${TITLES[section]} (${blocks.length})\n`;
  if (earlier === undefined) return [title, ...shown(section, blocks)];
  if (isLonger && same === blocks.length) return [`${title}\nAs in ${earlier.name}.`];
  if (section === 'messages' && isLonger) {
    return [`${title}\nThe first ${same} as in ${earlier.name}, then:\n`, ...shown(section, blocks.slice(same))];
  }
  return [`${title}\nNOT as in ${earlier.name}: they differ from ${same + 1} on.\n`, ...shown(section, blocks)];
}

function shown(section: RequestBlock['section'], blocks: readonly RequestBlock[]): readonly string[] {
  if (section === 'tools') {
    const texts = blocks.map((block) => ({ name: block.name, text: goldenBlock(block) }));
    const [listed, own] = [
      texts.filter(({ text }) => builtIn.has(text)),
      texts.filter(({ text }) => !builtIn.has(text)),
    ];
    const names = listed.map(({ name }) => name).join(', ');
    return [...(names === '' ? [] : [`Built in: ${names}.\n`]), ...own.map(({ text }) => `- ${text}`)];
  }
  return blocks.map((block) => `**${block.name}**\n\n${goldenBlock(block)}\n`);
}

function normalised(text: string, folders: ReadonlyMap<string, string>): string {
  let plain = text;
  for (const [folder, name] of folders) plain = plain.replaceAll(folder, name);
  return plain.replaceAll(/\bcall_[0-9a-f]{16}_(\d+)/g, 'call_$1').replaceAll(/[ \t]+$/gm, '');
}
