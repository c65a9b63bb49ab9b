import { PROJECT_READING_TOOLS, WEB_TOOLS } from '../../core/tool-names.ts';

/** The names of the tools that come with Troupe, so that a role can be checked without them. A test compares the two lists. */
export const SHIPPED_TOOLS: readonly string[] = [
  ...PROJECT_READING_TOOLS,
  ...WEB_TOOLS,
  'todo_write',
  'task',
  'execute_terminal',
  'write_file',
  'edit_file',
  'settle_conflict',
];

/** Those that change files, where the role's mode lets them. */
export const WRITING_TOOLS: readonly string[] = ['execute_terminal', 'write_file', 'edit_file'];
