import { openServers } from '../../tools/mcp/open-servers.ts';
import type { Project } from '../config/project.ts';
import { createWorkbench } from '../session/workbench.ts';
import { storeHome } from '../session/store.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Finding } from './finding.ts';

/** Starts or reaches every MCP server as a run would, counts its tools, and ends it. Those of an untrusted project stay off. */
export async function examineServers({ root, config }: Project, terminal: Terminal): Promise<readonly Finding[]> {
  if (Object.keys(config.mcp).length === 0) return [];
  const { environment } = terminal;
  const bench = createWorkbench({ home: storeHome(terminal), config, project: root, environment });
  try {
    const { counts, problems, close } = await openServers(config.mcp, { sandbox: bench.openSandbox, hidden: bench.hidden, environment });
    await close();
    return [
      ...Object.entries(counts).map(([name, count]) => ({
        level: 'ok' as const,
        about: 'mcp',
        text: toolsText(name, count),
      })),
      ...problems.map((text) => ({ level: 'error' as const, about: 'mcp', text })),
    ];
  } finally {
    await bench.close();
  }
}

const toolsText = (name: string, count: number): string => `${name}: ${count} ${count === 1 ? 'tool' : 'tools'}`;
