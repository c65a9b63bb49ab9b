import { refusedTool } from './define-tool.ts';
import type { Tool } from './port.ts';

/** A tool as a run began with it, without what runs it. */
export type RecordedTool = Pick<Tool, 'spec' | 'access' | 'leastMode' | 'origin' | 'labels' | 'repeat'>;

/** For the journal: requests are built from these as long as the run lives, and whenever it is looked at later. */
export function toRecord(tools: readonly Tool[]): readonly RecordedTool[] {
  return tools.map(({ spec, access, leastMode, origin, labels, repeat }) => ({
    spec,
    access,
    ...(leastMode === undefined ? {} : { leastMode }),
    ...(origin === undefined ? {} : { origin }),
    ...(labels === undefined ? {} : { labels }),
    repeat,
  }));
}

/**
 * The tools of a run: it is offered exactly the recorded ones, in the words of then (A3, A5). A recorded tool that this process has runs as
 * it is today, by today's rules too; one that it does not have is refused when it is called.
 */
export function withRecorded(tools: readonly Tool[], recorded: readonly RecordedTool[]): readonly Tool[] {
  const known = new Map(tools.map((tool) => [nameOf(tool), tool]));
  const names = new Set(recorded.map(nameOf));
  // Not offered; a call still gets an answer with the reason.
  const unusable = tools
    .filter((tool) => tool.isUsable !== undefined && !names.has(nameOf(tool)))
    .map((tool) => ({ ...tool, isUsable: () => false }));
  const own = recorded.map((one): Tool => {
    const now = known.get(nameOf(one));
    if (now === undefined) return { ...one, run: () => Promise.resolve(goneTool(one)) };
    // It could work when the run began.
    const { isUsable: _then, ...rest } = now;
    return one.origin === undefined ? { ...rest, spec: one.spec } : { ...rest, ...one };
  });
  return [...own, ...unusable];
}

const nameOf = ({ spec, origin }: RecordedTool): string => `${origin ?? ''} ${spec.name}`;

function goneTool({ spec, origin }: RecordedTool) {
  return refusedTool(
    `${spec.name} was there when this run began and is not there now: ${GONE[origin ?? 'troupe']}. Continue without it.`,
    'TOOL_GONE',
  );
}

const GONE: Readonly<Record<NonNullable<Tool['origin']> | 'troupe', string>> = {
  mcp: 'its MCP server cannot be used, or no longer has it',
  project: 'its file is gone, or is not trusted any more',
  troupe: 'this version of Troupe does not have it',
};
