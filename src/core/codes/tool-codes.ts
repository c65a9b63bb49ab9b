import type { CodeEntry } from './code-entry.ts';

/** Tools, commands and the sandbox. */
export const TOOL_CODES = {
  ADDRESS_NOT_PUBLIC: {
    meaning: 'The host leads to an address that is not in the public internet.',
    advice: 'Add the host with its port to `web.allow` if agents may use it.',
  },
  COMMAND_CANCELLED: {
    meaning: 'The command was cancelled.',
    advice: 'Resume the run if you did not cancel it yourself.',
  },
  COMMAND_FAILED: {
    meaning: 'The command ended with an exit code that counts as a failure.',
    advice: 'Read its output with `troupe show RUN`.',
  },
  COMMAND_KILLED: {
    meaning: 'The command was ended by a signal.',
    advice: 'Check memory and limits of the machine, then resume the run.',
  },
  COMMAND_NOT_STARTED: {
    meaning: 'The command could not be started.',
    advice: 'Install the program, or correct the command.',
  },
  COMMAND_TIMEOUT: { meaning: 'The command took too long.', advice: 'Raise its timeout, or make it faster.' },
  HOST_NOT_ALLOWED: {
    meaning: 'The host is not in the list of hosts that agents may fetch from.',
    advice: 'Add it to `web.allow` if agents may use it.',
  },
  HOST_SPELLING: { meaning: 'The host is written in an unusual way.', advice: 'Write it as the message shows.' },
  MCP_UNKNOWN: {
    meaning: 'A role names an MCP server that is not configured here.',
    advice: 'Correct the name, or add the server to the settings.',
    status: 404,
  },
  MCP_SERVER_DOWN: {
    meaning: 'The MCP server failed too often and is not called any more.',
    advice: 'Check the server with `troupe doctor`.',
  },
  MODE_NEEDS_OVERLAY: {
    meaning: 'In this mode the writes of a tool are thrown away, which this machine cannot do.',
    advice: 'Use the sandbox bubblewrap, or give the role the mode `write`.',
  },
  MODE_NO_WRITES: {
    meaning: 'The tool changes files, and the role may only read and run commands.',
    advice: 'Give the role the mode `write` if it may change files.',
  },
  MODE_READ_ONLY: {
    meaning: 'The tool changes files or starts programs, and the role may only read.',
    advice: 'Give the role another mode if it may do that.',
  },
  MODE_TOO_LOW: {
    meaning: 'The tool is for roles in a higher mode.',
    advice: 'Give the role that mode if it may use the tool.',
  },
  NOT_TEXT: { meaning: 'The page is not text, HTML or JSON.', advice: 'Choose another page.' },
  NO_SHELL: {
    meaning: 'Commands cannot be run because no sandbox was set up.',
    advice: 'See what is missing with `troupe doctor`.',
  },
  OUTCOME_UNKNOWN: {
    meaning: 'The process ended while a command ran that must not run twice.',
    advice: 'Check whether the command took effect, then start the run again.',
  },
  PERMISSION_REFUSED: {
    meaning: 'A person did not allow the call.',
    advice: 'Nothing needs to be done: the agent continues without it.',
  },
  REDIRECT_INSECURE: { meaning: 'The page redirects from https to http.', advice: 'Choose another page.' },
  SANDBOX_FOLDER: {
    meaning: 'A folder cannot be made available inside the sandbox.',
    advice: 'Create the folder, or remove it from the configuration.',
  },
  SANDBOX_NO_OVERLAY: {
    meaning: 'The sandbox needs an overlay, and overlays do not work here.',
    advice: 'Install bubblewrap on Linux 5.11 or later.',
  },
  SANDBOX_NO_SPACE: {
    meaning: 'A command cannot run in an overlay workspace here.',
    advice: 'Set `workspaces.method` to `copy`.',
  },
  SANDBOX_UNAVAILABLE: {
    meaning: 'The wanted sandbox does not work on this machine.',
    advice: 'See what is missing with `troupe doctor`.',
  },
  SANDBOX_WEAKENED: {
    meaning: 'The project asks for a weaker sandbox than you allow.',
    advice: 'Choose it yourself with `--sandbox`.',
  },
  SCHEME_NOT_ALLOWED: { meaning: 'The URL is neither http nor https.', advice: 'Use an http or https URL.' },
  SEARCH_NOT_CONFIGURED: { meaning: 'No search service is configured.', advice: 'Configure `web.search`.' },
  SUB_AGENT_REFUSED: {
    meaning: 'The agent may not start this sub-agent.',
    advice: "Add the role to `tasks` of the agent's role if it may.",
  },
  SUB_AGENT_TOO_DEEP: {
    meaning: 'Sub-agents may not be nested deeper.',
    advice: 'Nothing needs to be done: the agent does the work itself.',
  },
  TOOLS_NOT_LOADED: {
    meaning: 'The tools of the project could not be loaded.',
    advice: 'Check the sandbox with `troupe doctor`.',
  },
  TOOL_DENIED: {
    meaning: 'The client was not allowed to use a tool.',
    advice: 'Allow the tool in its role if it may use it.',
  },
  TOOL_EXCLUDED: {
    meaning: 'The tool was removed from the role.',
    advice: 'Remove it from `excludedTools` if the role may use it.',
  },
  TOOL_FAILED: { meaning: 'A tool call failed.', advice: 'Nothing needs to be done: the agent sees the error.' },
  TOOL_GONE: {
    meaning: 'The tool existed when the run began and does not exist now.',
    advice: 'Restore its file or its MCP server.',
  },
  TOOL_INVALID: {
    meaning: 'The file of a tool cannot be used.',
    advice: 'Export a constant `tool` with name, description, parameters, repeat and run.',
  },
  TOOL_NAME_TAKEN: { meaning: 'A tool with this name already exists.', advice: 'Choose another name.' },
  TOOL_NOT_INCLUDED: {
    meaning: 'The tool is not among the tools of the role.',
    advice: 'Add it to `includedTools` if the role may use it.',
  },
  TOOL_NOT_TRUSTED: {
    meaning: 'The tools of the project changed after you trusted them.',
    advice: 'See the changes and decide with `troupe trust`.',
  },
  TOOL_UNKNOWN: { meaning: 'No tool has this name.', advice: 'Choose one of the names in the message.', status: 404 },
  URL_INVALID: { meaning: 'The URL cannot be fetched.', advice: 'Correct it as the message says.' },
} as const satisfies Readonly<Record<string, CodeEntry>>;
