import { editFileTool } from './edit-file.ts';
import { executeTerminalTool } from './execute-terminal.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { listFilesTool } from './list-files.ts';
import type { Tool } from './port.ts';
import { readFileTool } from './read-file.ts';
import { writeFileTool } from './write-file.ts';

/** The tools that come with Troupe. */
export const allTools: readonly Tool[] = [
  readFileTool,
  writeFileTool,
  editFileTool,
  listFilesTool,
  globTool,
  grepTool,
  executeTerminalTool,
];
