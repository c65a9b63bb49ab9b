import { editFileTool } from './edit-file.ts';
import { executeTerminalTool } from './execute-terminal.ts';
import { gitDiffTool } from './git-diff.ts';
import { gitLogTool } from './git-log.ts';
import { gitStatusTool } from './git-status.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { listFilesTool } from './list-files.ts';
import type { Tool } from './port.ts';
import { readFileTool } from './read-file.ts';
import { searchKnowledgeTool } from './search-knowledge.ts';
import { settleConflictTool } from './settle-conflict.ts';
import { taskTool } from './task.ts';
import { todoWriteTool } from './todo-write.ts';
import { webFetchTool } from './web-fetch.ts';
import { webSearchTool } from './web-search.ts';
import { writeFileTool } from './write-file.ts';

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
