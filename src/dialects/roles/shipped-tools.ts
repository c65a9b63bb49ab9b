/** The names of the tools that come with Troupe, so that a role can be checked without them. A test compares the two lists. */
export const SHIPPED_TOOLS: readonly string[] = [
  'read_file',
  'list_files',
  'glob',
  'grep',
  'git_status',
  'git_diff',
  'git_log',
  'search_knowledge',
  'web_fetch',
  'web_search',
  'todo_write',
  'task',
  'execute_terminal',
  'write_file',
  'edit_file',
  'settle_conflict',
];

/** Those that change files, where the role's mode lets them. */
export const WRITING_TOOLS: readonly string[] = ['execute_terminal', 'write_file', 'edit_file'];
