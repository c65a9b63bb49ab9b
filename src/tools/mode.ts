import type { FaultCode } from '../core/codes/codes.ts';

/**
 * A tool's effect. `read`: reads the workspace, and starts no program that the agent chose. `command`: starts programs.
 * `write`: changes files. `talk`: none of these; it talks to something else (a list, a web site).
 */
export type ToolAccess = 'read' | 'command' | 'write' | 'talk';

/** A role's rights: look, look and run commands whose changes are discarded, or everything. */
export type Mode = 'read' | 'commands' | 'write';

export function modeAllows(mode: Mode, access: ToolAccess): boolean {
  return ALLOWED[mode].includes(access);
}

const ALLOWED: Readonly<Record<Mode, readonly ToolAccess[]>> = {
  read: ['read', 'talk'],
  commands: ['read', 'talk', 'command'],
  write: ['read', 'talk', 'command', 'write'],
};

/** Whether a role in this mode is offered the tool. */
export function modeOffers(mode: Mode, { access, leastMode }: Pick<ModeTool, 'access' | 'leastMode'>): boolean {
  return modeAllows(mode, access) && (leastMode === undefined || MODES.indexOf(mode) >= MODES.indexOf(leastMode));
}

/** From the one that may do least. */
const MODES: readonly Mode[] = ['read', 'commands', 'write'];

/** Why a tool is missing in a mode, and what the agent should do instead; null if it is available. */
export function modeRefusal(mode: Mode, tool: ModeTool): ToolRefusal | null {
  if (modeOffers(mode, tool)) return null;
  const { name } = tool.spec;
  if (modeAllows(mode, tool.access)) {
    return {
      code: 'MODE_TOO_LOW',
      reason: `${name} is for roles in mode "${tool.leastMode}", and your role is in mode "${mode}". Continue without it.`,
    };
  }
  if (mode === 'commands') {
    return {
      code: 'MODE_NO_WRITES',
      reason: `${name} changes files, and your role may read and run commands only. Say in your answer what should be changed.`,
    };
  }
  const does = tool.access === 'write' ? 'changes files' : 'starts programs';
  return {
    code: 'MODE_READ_ONLY',
    reason: `${name} ${does}, and your role may only read. Say in your answer what should be done.`,
  };
}

interface ModeTool {
  readonly spec: { readonly name: string };
  readonly access: ToolAccess;
  readonly leastMode?: Mode;
}

export interface ToolRefusal {
  readonly code: FaultCode;
  readonly reason: string;
}
