/** Names of built-in tools, for code that lists them without loading the tools. A test compares them with the tools. */

/** Tools that need a repository. */
export const GIT_TOOLS: readonly string[] = ['git_status', 'git_diff', 'git_log'];

/** Tools that read the project and change nothing. */
export const PROJECT_READING_TOOLS: readonly string[] = [
  'read_file',
  'list_files',
  'glob',
  'grep',
  ...GIT_TOOLS,
  'search_knowledge',
];

export const WEB_TOOLS: readonly string[] = ['web_fetch', 'web_search'];

/** The tool that starts a sub-agent. */
export const TASK_TOOL = 'task';
