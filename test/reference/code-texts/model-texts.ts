import type { MODEL_CODES } from '../../../src/core/codes/model-codes.ts';
import type { CodeTexts } from './code-texts.ts';

/** Models, providers and clients. */
export const MODEL_TEXTS: CodeTexts<typeof MODEL_CODES> = {
  ACP_VERSION: [
    'The client speaks another version of the Agent Client Protocol.',
    'Install another version of the client.',
  ],
  ACTOR_UNKNOWN: ['No client or model has this name.', 'Choose one of the names in the message.'],
  AUTH_FAILED: ['The provider refused the credentials.', 'Check the key, or log in again.'],
  CALL_CANCELLED: ['The call was cancelled.', 'Resume the run if you did not cancel it yourself.'],
  CALL_FAILED: [
    'The call to the model failed for a reason that is not known.',
    'Read the reason in the message, then resume the run.',
  ],
  CALL_TIMEOUT: ['The model did not finish its reply in time.', 'Resume the run, or raise the timeout of the model.'],
  CHANGED_AFTER_SIGNAL: [
    'Files changed after the agent had said that it was done, and they no longer fit what it said.',
    'Resume the run, or let another agent do the work.',
  ],
  CLIENT_CANNOT_ASK: [
    'The role must ask before it uses tools, and the client cannot ask.',
    'Let another client play the role, or remove the tools from `ask`.',
  ],
  CLIENT_CRASHED: [
    'The client ended without a result.',
    'Read what it printed with `troupe logs RUN --raw`, then resume the run.',
  ],
  CLIENT_DID_NOT_END: ['The client said that it was done and did not end.', 'Resume the run.'],
  CLIENT_FAILED: ['The client gave up.', 'Read its reason in the message, then resume the run.'],
  CLIENT_GONE: ['The engine stopped before the client had ended.', 'Resume the run.'],
  CLIENT_LIMIT: [
    'The client used all model calls that it allows itself in a turn.',
    'Raise the limit of the client, or make the task smaller.',
  ],
  CLIENT_MISSING: [
    'The program of the client is not installed.',
    'Install it, or see what was found with `troupe doctor`.',
  ],
  CLIENT_NOT_STARTED: [
    'The client could not be started.',
    'Read the reason in the message, and check it with `troupe doctor`.',
  ],
  CLIENT_STUCK: [
    'The client was silent for too long and was stopped.',
    'Resume the run, or raise `idle_minutes` of the client.',
  ],
  CLIENT_TIMEOUT: [
    'The client worked longer than it may and was stopped.',
    'Raise `wall_minutes` of the client, or make the task smaller.',
  ],
  CLIENT_UNAVAILABLE: ['Clients cannot be started by this program.', 'Start the run with the command line.'],
  CLIENT_WENT_ON: [
    'The client continued after its turn was over and was ended.',
    'Nothing needs to be done: its accepted reply counts.',
  ],
  CONTEXT_OVERFLOW: [
    'The request was larger than the window of the model.',
    'Set `window` of the model to its real size, or choose a model with a larger one.',
  ],
  DESK_UNREACHABLE: [
    'The client could not connect to the server that takes its reply.',
    'Allow programs to use loopback addresses.',
  ],
  ENDPOINT_FAILED: ['The provider failed while it served the call.', 'Resume the run later.'],
  ENDPOINT_MOVED: ['The endpoint sends calls to another address.', 'Put that address into `base_url` of the model.'],
  ENDPOINT_OVERLOADED: ['The provider is overloaded.', 'Resume the run later.'],
  ENDPOINT_UNREACHABLE: [
    'The endpoint of the model cannot be reached.',
    'Check the base URL, and that a server listens there.',
  ],
  EVIDENCE_MISSING: [
    'The agent said that it was done, and the engine found that it was not.',
    'Read what is missing in the message.',
  ],
  INVALID_REPLY: [
    'The structured reply did not fit its schema, also after it was sent back.',
    'Choose a more capable model, or simplify the schema.',
  ],
  KEY_MISSING: ['The variable with the key of the model is not set.', 'Set it in the environment.'],
  LEVEL_UNKNOWN: ['No model level has this name.', 'Use `base`, `smart`, `fast` or a level of your configuration.'],
  LOGIN_NEEDED: [
    'The provider refuses all calls until you log in.',
    'Log in again or set the key, then resume the run.',
  ],
  MODEL_CONFIG: ['The configuration of the model is incomplete or wrong.', 'Correct it in `.troupe/config.yaml`.'],
  MODEL_MISSING: ['No model is configured for this level.', 'Add one to `.troupe/config.yaml`.'],
  MODEL_NOT_OFFERED: ['The client does not offer this model.', 'Leave the model out, or name one that the client has.'],
  MODEL_UNKNOWN: [
    'The configuration has no model with this name.',
    'Add it to `.troupe/config.yaml`, or correct the name.',
  ],
  NO_PROGRESS: [
    'The agent filled the window of its model again without new work, so its turn was stopped.',
    'Give it a smaller task, or a model with a larger window.',
  ],
  PORT_FORBIDDEN: [
    'The endpoint has a port that web requests may not use.',
    'Let the server listen on another port, such as 8080.',
  ],
  PRICE_MISSING: [
    'The run has a limit in USD, and the price of a model is not known.',
    'Add the price of the model to the configuration.',
  ],
  QUOTA_EXCEEDED: ['The account has no quota left.', 'Add credit or wait, then resume the run.'],
  QUOTA_USED_UP: [
    'The quota of the provider is used up for now.',
    'Wait until it is available again, then resume the run.',
  ],
  RATE_LIMITED: ['Calls came faster than the provider or this server allows.', 'Wait a moment, then try again.'],
  RAW_MISSING: ['No output of clients is kept for the run.', 'Read the log with `troupe logs RUN`.'],
  REPLY_EMPTY: ['The model replied without a word.', 'Resume the run, or choose another model.'],
  REPLY_FILTERED: [
    'The provider withheld the reply because of its content policy.',
    'Change the task, or choose another model.',
  ],
  REPLY_MALFORMED: [
    'The reply of the model could not be read.',
    'Resume the run, and check that the endpoint speaks the configured protocol.',
  ],
  REPLY_OWED: [
    'The agent was asked twice for its structured reply and did not give it.',
    'Choose a model that calls tools, or name the tool in the prompt.',
  ],
  REPLY_REFUSED: [
    'A reply or tool call of the agent was sent back.',
    'Nothing needs to be done: the agent tries again.',
  ],
  REPLY_RETURNED: ['A reply was sent back to be corrected.', 'Nothing needs to be done: the agent tries again.'],
  REPLY_TRUNCATED: [
    'The reply was cut off at the output limit of the model.',
    'Raise `max_output_tokens` of the model, or make the task smaller.',
  ],
  REQUEST_REFUSED: [
    'The provider refused the request.',
    'Check that the endpoint has this model and that it takes tools.',
  ],
  SESSION_LOST: [
    'The client does not know its earlier conversation.',
    'Nothing needs to be done: the agent starts a new one.',
  ],
  SETTING_UNSUPPORTED: ['The model does not take one of its settings.', 'Remove the setting from the model.'],
  STREAM_CUT: ['The connection ended before the reply was complete.', 'Resume the run.'],
  WINDOW_TOO_SMALL: [
    'The orders of the agent alone are larger than the window of the model.',
    'Choose a model with a larger window, or shorten the prompt.',
  ],
};
