import { editFileTool, listFilesTool, readFileTool, writeFileTool } from './file-tools.ts';
import { executeTerminalTool } from './shell.ts';
import { gitDiffTool, gitLogTool, gitStatusTool } from './git-tools.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import type { Tool } from './port.ts';
import { searchKnowledgeTool } from './search-knowledge.ts';
import { settleConflictTool, taskTool, todoWriteTool } from './engine-tools.ts';
import { webFetchTool } from './web-fetch.ts';
import { webSearchTool } from './web-search.ts';

/** The tools that come with Troupe, from those that touch least to those that touch most. */
export const allTools: readonly Tool[] = [
  readFileTool,
  listFilesTool,
  globTool,
  grepTool,
  gitStatusTool,
  gitDiffTool,
  gitLogTool,
  searchKnowledgeTool,
  webFetchTool,
  webSearchTool,
  todoWriteTool,
  taskTool,
  executeTerminalTool,
  writeFileTool,
  editFileTool,
  settleConflictTool,
];
