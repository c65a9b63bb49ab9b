import { refused } from './define-tool.ts';
import type { Tool } from './port.ts';

/** A tool of the project or of an MCP server as a run began with it, without what runs it. */
export type RecordedTool = Pick<Tool, 'spec' | 'access' | 'leastMode' | 'origin' | 'repeat'>;

/** Those of the tools that do not come with Troupe, for the journal. */
export function toRecord(tools: readonly Tool[]): readonly RecordedTool[] {
  return tools
    .filter(({ origin }) => origin !== undefined)
    .map(({ spec, access, leastMode, origin, repeat }) => ({
      spec,
      access,
      ...(leastMode === undefined ? {} : { leastMode }),
      ...(origin === undefined ? {} : { origin }),
      repeat,
    }));
}

/**
 * The tools of a run: those that come with Troupe, and of the others exactly the recorded ones (A3, A5). A recorded tool that
 * this process has runs as it is today, by today's rules too; one that it does not have is refused when it is called.
 */
export function withRecorded(tools: readonly Tool[], recorded: readonly RecordedTool[]): readonly Tool[] {
  const added = recorded.map((one): Tool => {
    const now = tools.find(({ spec, origin }) => spec.name === one.spec.name && origin === one.origin);
    return now === undefined ? { ...one, run: () => Promise.resolve(goneTool(one)) } : { ...now, ...one };
  });
  return [...tools.filter(({ origin }) => origin === undefined), ...added];
}

function goneTool({ spec, origin }: RecordedTool) {
  const why =
    origin === 'mcp'
      ? 'its MCP server cannot be used, or no longer has it'
      : 'its file is gone, or is not trusted any more';
  return refused(
    `${spec.name} was there when this run began and is not there now: ${why}. Go on without it.`,
    'TOOL_GONE',
  );
}
