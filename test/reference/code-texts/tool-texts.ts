import type { TOOL_CODES } from '../../../src/core/codes/tool-codes.ts';
import type { CodeTexts } from './code-texts.ts';

/** Tools, commands and the sandbox. */
export const TOOL_TEXTS: CodeTexts<typeof TOOL_CODES> = {
  ADDRESS_NOT_PUBLIC: [
    'The host leads to an address that is not in the public internet.',
    'Add the host with its port to `web.allow` if agents may use it.',
  ],
  COMMAND_CANCELLED: ['The command was cancelled.', 'Resume the run if you did not cancel it yourself.'],
  COMMAND_FAILED: [
    'The command ended with an exit code that counts as a failure.',
    'Read its output with `troupe show RUN`.',
  ],
  COMMAND_KILLED: [
    'The command was ended by a signal.',
    'Check memory and limits of the machine, then resume the run.',
  ],
  COMMAND_NOT_STARTED: ['The command could not be started.', 'Install the program, or correct the command.'],
  COMMAND_TIMEOUT: ['The command took too long.', 'Raise its timeout, or make it faster.'],
  HOST_NOT_ALLOWED: [
    'The host is not in the list of hosts that agents may fetch from.',
    'Add it to `web.allow` if agents may use it.',
  ],
  HOST_SPELLING: ['The host is written in an unusual way.', 'Write it as the message shows.'],
  MCP_UNKNOWN: [
    'A role names an MCP server that is not configured here.',
    'Correct the name, or add the server to the settings.',
  ],
  MCP_SERVER_DOWN: [
    'The MCP server failed too often and is not called any more.',
    'Check the server with `troupe doctor`.',
  ],
  MODE_NEEDS_OVERLAY: [
    'In this mode the writes of a tool are thrown away, which this machine cannot do.',
    'Use the sandbox bubblewrap, or give the role the mode `write`.',
  ],
  MODE_NO_WRITES: [
    'The tool changes files, and the role may only read and run commands.',
    'Give the role the mode `write` if it may change files.',
  ],
  MODE_READ_ONLY: [
    'The tool changes files or starts programs, and the role may only read.',
    'Give the role another mode if it may do that.',
  ],
  MODE_TOO_LOW: ['The tool is for roles in a higher mode.', 'Give the role that mode if it may use the tool.'],
  NOT_TEXT: ['The page is not text, HTML or JSON.', 'Choose another page.'],
  NO_SHELL: ['Commands cannot be run because no sandbox was set up.', 'See what is missing with `troupe doctor`.'],
  OUTCOME_UNKNOWN: [
    'The process ended while a command ran that must not run twice.',
    'Check whether the command took effect, then start the run again.',
  ],
  PERMISSION_REFUSED: ['A person did not allow the call.', 'Nothing needs to be done: the agent continues without it.'],
  REDIRECT_INSECURE: ['The page redirects from https to http.', 'Choose another page.'],
  SANDBOX_FOLDER: [
    'A folder cannot be made available inside the sandbox.',
    'Create the folder, or remove it from the configuration.',
  ],
  SANDBOX_NO_OVERLAY: [
    'The sandbox needs an overlay, and overlays do not work here.',
    'Install bubblewrap on Linux 5.11 or later.',
  ],
  SANDBOX_NO_SPACE: ['A command cannot run in an overlay workspace here.', 'Set `workspaces.method` to `copy`.'],
  SANDBOX_UNAVAILABLE: [
    'The wanted sandbox does not work on this machine.',
    'See what is missing with `troupe doctor`.',
  ],
  SANDBOX_WEAKENED: ['The project asks for a weaker sandbox than you allow.', 'Choose it yourself with `--sandbox`.'],
  SCHEME_NOT_ALLOWED: ['The URL is neither http nor https.', 'Use an http or https URL.'],
  SEARCH_NOT_CONFIGURED: ['No search service is configured.', 'Configure `web.search`.'],
  SUB_AGENT_REFUSED: [
    'The agent may not start this sub-agent.',
    "Add the role to `tasks` of the agent's role if it may.",
  ],
  SUB_AGENT_TOO_DEEP: [
    'Sub-agents may not be nested deeper.',
    'Nothing needs to be done: the agent does the work itself.',
  ],
  TOOLS_NOT_LOADED: ['The tools of the project could not be loaded.', 'Check the sandbox with `troupe doctor`.'],
  TOOL_DENIED: ['The client was not allowed to use a tool.', 'Allow the tool in its role if it may use it.'],
  TOOL_EXCLUDED: ['The tool was removed from the role.', 'Remove it from `excludedTools` if the role may use it.'],
  TOOL_FAILED: ['A tool call failed.', 'Nothing needs to be done: the agent sees the error.'],
  TOOL_GONE: ['The tool existed when the run began and does not exist now.', 'Restore its file or its MCP server.'],
  TOOL_INVALID: [
    'The file of a tool cannot be used.',
    'Export a constant `tool` with name, description, parameters, repeat and run.',
  ],
  TOOL_NAME_TAKEN: ['A tool with this name already exists.', 'Choose another name.'],
  TOOL_NOT_INCLUDED: [
    'The tool is not among the tools of the role.',
    'Add it to `includedTools` if the role may use it.',
  ],
  TOOL_NOT_TRUSTED: [
    'The tools of the project changed after you trusted them.',
    'See the changes and decide with `troupe trust`.',
  ],
  TOOL_UNKNOWN: ['No tool has this name.', 'Choose one of the names in the message.'],
  URL_INVALID: ['The URL cannot be fetched.', 'Correct it as the message says.'],
};
