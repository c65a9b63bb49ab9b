import type { CodeEntry } from './code-entry.ts';

/** Models, providers and clients. */
export const MODEL_CODES = {
  ACP_VERSION: {
    meaning: 'The client speaks another version of the Agent Client Protocol.',
    advice: 'Install another version of the client.',
  },
  ACTOR_UNKNOWN: { meaning: 'No client or model has this name.', advice: 'Choose one of the names in the message.' },
  AUTH_FAILED: { meaning: 'The provider refused the credentials.', advice: 'Check the key, or log in again.' },
  CALL_CANCELLED: { meaning: 'The call was cancelled.', advice: 'Resume the run if you did not cancel it yourself.' },
  CALL_FAILED: {
    meaning: 'The call to the model failed for a reason that is not known.',
    advice: 'Read the reason in the message, then resume the run.',
  },
  CALL_TIMEOUT: {
    meaning: 'The model did not finish its reply in time.',
    advice: 'Resume the run, or raise the timeout of the model.',
  },
  CHANGED_AFTER_SIGNAL: {
    meaning: 'Files changed after the agent had said that it was done, and they no longer fit what it said.',
    advice: 'Resume the run, or let another agent do the work.',
  },
  CLIENT_CANNOT_ASK: {
    meaning: 'The role must ask before it uses tools, and the client cannot ask.',
    advice: 'Let another client play the role, or remove the tools from `ask`.',
  },
  CLIENT_CRASHED: {
    meaning: 'The client ended without a result.',
    advice: 'Read what it printed with `troupe logs RUN --raw`, then resume the run.',
  },
  CLIENT_DID_NOT_END: { meaning: 'The client said that it was done and did not end.', advice: 'Resume the run.' },
  CLIENT_FAILED: { meaning: 'The client gave up.', advice: 'Read its reason in the message, then resume the run.' },
  CLIENT_GONE: { meaning: 'The engine stopped before the client had ended.', advice: 'Resume the run.' },
  CLIENT_LIMIT: {
    meaning: 'The client used all model calls that it allows itself in a turn.',
    advice: 'Raise the limit of the client, or make the task smaller.',
  },
  CLIENT_MISSING: {
    meaning: 'The program of the client is not installed.',
    advice: 'Install it, or see what was found with `troupe doctor`.',
    status: 404,
  },
  CLIENT_NOT_STARTED: {
    meaning: 'The client could not be started.',
    advice: 'Read the reason in the message, and check it with `troupe doctor`.',
  },
  CLIENT_STUCK: {
    meaning: 'The client was silent for too long and was stopped.',
    advice: 'Resume the run, or raise `idle_minutes` of the client.',
  },
  CLIENT_TIMEOUT: {
    meaning: 'The client worked longer than it may and was stopped.',
    advice: 'Raise `wall_minutes` of the client, or make the task smaller.',
  },
  CLIENT_UNAVAILABLE: {
    meaning: 'Clients cannot be started by this program.',
    advice: 'Start the run with the command line.',
  },
  CLIENT_WENT_ON: {
    meaning: 'The client continued after its turn was over and was ended.',
    advice: 'Nothing needs to be done: its accepted reply counts.',
  },
  CONTEXT_OVERFLOW: {
    meaning: 'The request was larger than the window of the model.',
    advice: 'Set `window` of the model to its real size, or choose a model with a larger one.',
  },
  DESK_UNREACHABLE: {
    meaning: 'The client could not connect to the address where it hands in its reply.',
    advice: 'Allow programs to use loopback addresses.',
  },
  ENDPOINT_FAILED: { meaning: 'The provider failed while it served the call.', advice: 'Resume the run later.' },
  ENDPOINT_MOVED: {
    meaning: 'The endpoint sends calls to another address.',
    advice: 'Put that address into `base_url` of the model.',
  },
  ENDPOINT_OVERLOADED: { meaning: 'The provider is overloaded.', advice: 'Resume the run later.' },
  ENDPOINT_UNREACHABLE: {
    meaning: 'The endpoint of the model cannot be reached.',
    advice: 'Check the base URL, and that a server listens there.',
  },
  EVIDENCE_MISSING: {
    meaning: 'The agent said that it was done, and the engine found that it was not.',
    advice: 'Read what is missing in the message.',
  },
  INVALID_REPLY: {
    meaning: 'The structured reply did not fit its schema, also after it was sent back.',
    advice: 'Choose a more capable model, or simplify the schema.',
  },
  KEY_MISSING: {
    meaning: 'The variable with the key of the model is not set.',
    advice: 'Set it in the environment.',
    status: 404,
  },
  LEVEL_UNKNOWN: {
    meaning: 'No model level has this name.',
    advice: 'Use `base`, `smart`, `fast` or a level of your configuration.',
    status: 404,
  },
  LOGIN_NEEDED: {
    meaning: 'The provider refuses all calls until you log in.',
    advice: 'Log in again or set the key, then resume the run.',
    pausesRun: true,
  },
  MODEL_CONFIG: {
    meaning: 'The configuration of the model is incomplete or wrong.',
    advice: 'Correct it in `.troupe/config.yaml`.',
  },
  MODEL_MISSING: {
    meaning: 'No model is configured for this level.',
    advice: 'Add one to `.troupe/config.yaml`.',
    status: 404,
  },
  MODEL_NOT_OFFERED: {
    meaning: 'The client does not offer this model.',
    advice: 'Leave the model out, or name one that the client has.',
  },
  MODEL_UNKNOWN: {
    meaning: 'The configuration has no model with this name.',
    advice: 'Add it to `.troupe/config.yaml`, or correct the name.',
  },
  NO_PROGRESS: {
    meaning: 'The agent filled the window of its model again without new work, so its turn was stopped.',
    advice: 'Give it a smaller task, or a model with a larger window.',
  },
  PORT_FORBIDDEN: {
    meaning: 'The endpoint has a port that web requests may not use.',
    advice: 'Let the server listen on another port, such as 8080.',
  },
  PRICE_MISSING: {
    meaning: 'The run has a limit in USD, and the price of a model is not known.',
    advice: 'Add the price of the model to the configuration.',
    status: 404,
  },
  QUOTA_EXCEEDED: { meaning: 'The account has no quota left.', advice: 'Add credit or wait, then resume the run.' },
  QUOTA_USED_UP: {
    meaning: 'The quota of the provider is used up for now.',
    advice: 'Wait until it is available again, then resume the run.',
    pausesRun: true,
  },
  RATE_LIMITED: {
    meaning: 'Calls came faster than the provider or this server allows.',
    advice: 'Wait a moment, then try again.',
    status: 429,
  },
  RAW_MISSING: {
    meaning: 'No output of clients is kept for the run.',
    advice: 'Read the log with `troupe logs RUN`.',
    status: 404,
  },
  REPLY_EMPTY: { meaning: 'The model replied without a word.', advice: 'Resume the run, or choose another model.' },
  REPLY_FILTERED: {
    meaning: 'The provider withheld the reply because of its content policy.',
    advice: 'Change the task, or choose another model.',
  },
  REPLY_MALFORMED: {
    meaning: 'The reply of the model could not be read.',
    advice: 'Resume the run, and check that the endpoint speaks the configured protocol.',
  },
  REPLY_OWED: {
    meaning: 'The agent was asked twice for its structured reply and did not give it.',
    advice: 'Choose a model that calls tools, or name the tool in the prompt.',
  },
  REPLY_REFUSED: {
    meaning: 'A reply or tool call of the agent was sent back.',
    advice: 'Nothing needs to be done: the agent tries again.',
  },
  REPLY_RETURNED: {
    meaning: 'A reply was sent back to be corrected.',
    advice: 'Nothing needs to be done: the agent tries again.',
  },
  REPLY_TRUNCATED: {
    meaning: 'The reply was cut off at the output limit of the model.',
    advice: 'Raise `max_output_tokens` of the model, or make the task smaller.',
  },
  REQUEST_REFUSED: {
    meaning: 'The provider refused the request.',
    advice: 'Check that the endpoint has this model and that it takes tools.',
  },
  SESSION_LOST: {
    meaning: 'The client does not know its earlier conversation.',
    advice: 'Nothing needs to be done: the agent starts a new one.',
  },
  SETTING_UNSUPPORTED: {
    meaning: 'The model does not take one of its settings.',
    advice: 'Remove the setting from the model.',
  },
  STREAM_CUT: { meaning: 'The connection ended before the reply was complete.', advice: 'Resume the run.' },
  WINDOW_TOO_SMALL: {
    meaning: 'The orders of the agent alone are larger than the window of the model.',
    advice: 'Choose a model with a larger window, or shorten the prompt.',
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;
