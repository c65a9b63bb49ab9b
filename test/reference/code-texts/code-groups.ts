import { RUN_TEXTS } from './run-texts.ts';
import { JOURNAL_TEXTS } from './journal-texts.ts';
import { FILE_TEXTS } from './file-texts.ts';
import { WORKFLOW_TEXTS } from './workflow-texts.ts';
import { FORMAT_TEXTS } from './format-texts.ts';
import { MODEL_TEXTS } from './model-texts.ts';
import { TOOL_TEXTS } from './tool-texts.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';
import { SERVER_TEXTS } from './server-texts.ts';

/** The sections of `docs/reference/codes.md`. */
export const CODE_GROUPS = {
  'Runs, their results, limits and questions': RUN_TEXTS,
  'The journal, the home folder and workers': JOURNAL_TEXTS,
  'Files: projects, stores, workspaces, git and artifacts': FILE_TEXTS,
  'Workflows, their inputs, scripts, pools and merges': WORKFLOW_TEXTS,
  'Stages, phases, quests, reviews and the shipped patterns': FORMAT_TEXTS,
  'Models, providers and clients': MODEL_TEXTS,
  'Tools, commands and the sandbox': TOOL_TEXTS,
  'Problems of files, as `troupe check` reports them': PROBLEM_TEXTS,
  'The server, the command line and the library': SERVER_TEXTS,
} as const;
