/** They need a repository. */
export const GIT_TOOLS: readonly string[] = ['git_diff', 'git_log', 'git_status'];
