/** Names of built-in tools, for all who list them without the tools themselves. A test compares them with the tools. */

/** They need a repository. */
export const GIT_TOOLS: readonly string[] = ['git_status', 'git_diff', 'git_log'];

/** They read the project and change nothing. */
export const PROJECT_READING_TOOLS: readonly string[] = [
  'read_file',
  'list_files',
  'glob',
  'grep',
  ...GIT_TOOLS,
  'search_knowledge',
];

export const WEB_TOOLS: readonly string[] = ['web_fetch', 'web_search'];

/** Starts a sub-agent. */
export const TASK_TOOL = 'task';
