import type { CodeEntry } from './code-entry.ts';

/** Files: projects, stores, workspaces, git and artifacts. */
export const FILE_CODES = {
  ARTIFACT_AMBIGUOUS: {
    meaning: 'Several artifacts have an id that begins like this.',
    advice: 'Write more of the id, or give the path.',
    status: 409,
  },
  ARTIFACT_CHANGED: {
    meaning: 'A file that a phase needs was changed after it was made.',
    advice: 'Restore the file with `troupe rollback`, or run its phase again.',
  },
  ARTIFACT_DAMAGED: {
    meaning: 'The kept content of an artifact is not what was recorded.',
    advice: 'Check the store with `troupe doctor`.',
    status: 500,
  },
  ARTIFACT_LARGE: {
    meaning: 'The artifact is too large to show.',
    advice: 'Write it to a file with `troupe artifacts RUN ID > FILE`.',
    status: 413,
  },
  ARTIFACT_MISSING: {
    meaning: 'A file that a phase needs does not exist.',
    advice: 'Restore the file with `troupe rollback`, or run its phase again.',
  },
  ARTIFACT_NOT_KEPT: {
    meaning: 'The file is ignored by a rule of the project, so its content was not kept.',
    advice: 'Remove the rule before the next run.',
    status: 404,
  },
  ARTIFACT_UNKNOWN: {
    meaning: 'The run has no such artifact.',
    advice: 'See them with `troupe artifacts RUN`.',
    status: 404,
  },
  BRANCH_EXISTS: {
    meaning: 'A branch with this name already exists.',
    advice: 'Choose another name with `--branch`, or rename the present one.',
    status: 409,
  },
  BRANCH_NAME: {
    meaning: 'The text cannot be the name of a branch.',
    advice: 'Choose another name, such as `troupe/result`.',
  },
  BRANCH_NOT_WRITTEN: { meaning: 'git could not write the branch.', advice: 'Try again, or choose another name.' },
  CWD_MISSING: {
    meaning: 'The current folder does not exist any more.',
    advice: 'Change to a folder that exists.',
    status: 404,
  },
  DISK_FULL: {
    meaning: 'There is no space left on the disk.',
    advice: 'Free some space, for instance with `troupe prune`, then resume the run.',
    status: 500,
    exit: 'failed',
    pausesRun: true,
  },
  FILES_NONE: {
    meaning: 'The run has no files, because none of its agents can use a tool.',
    advice: 'Read what was said with `troupe logs RUN`.',
    status: 404,
  },
  FILES_PRUNED: {
    meaning: 'The files of the run are not kept any more.',
    advice: 'Start the run again if you need them.',
    status: 404,
  },
  FILE_EXISTS: {
    meaning: 'The file already exists.',
    advice: 'Choose another name, or remove the file first.',
    status: 409,
  },
  FILE_LARGE: {
    meaning: 'The file is too large to show.',
    advice: 'Open it in the folder of the workspace.',
    status: 413,
  },
  FILE_MISSING: {
    meaning: 'The named file does not exist.',
    advice: 'Name a file or folder that exists.',
    status: 404,
  },
  FOLDER_MISSING: { meaning: 'The folder does not exist.', advice: 'Create it, or name another one.', status: 404 },
  GIT_FAILED: {
    meaning: 'A git command failed.',
    advice: 'Try again, then check the repository with `git fsck`.',
    status: 500,
    exit: 'failed',
  },
  GIT_MISSING: { meaning: 'git is not installed on this machine.', advice: 'Install git 2.31 or later.', status: 404 },
  NOT_A_REPOSITORY: {
    meaning: 'The project is not in a git repository that git can read.',
    advice: 'Take the result as a patch or with `--apply`, and compare with `--project`.',
  },
  NOT_WRITABLE: {
    meaning: 'The file or folder cannot be written.',
    advice: 'Make its folder writable, or name another place.',
  },
  PROJECT_MISSING: {
    meaning: 'The folder of the project does not exist.',
    advice: 'Name the folder of a project.',
    status: 404,
  },
  PROJECT_NOT_A_FOLDER: { meaning: 'The project is not a folder.', advice: 'Name the folder that holds the project.' },
  PROJECT_NOT_TRUSTABLE: {
    meaning: 'A file among the settings of the project cannot be trusted, such as a link.',
    advice: 'Put plain files there.',
  },
  PROJECT_TOO_LARGE: {
    meaning: 'The project is larger than workspaces may be.',
    advice: 'Let git ignore large files, or raise `workspaces.max_files` and `workspaces.max_bytes`.',
  },
  PROJECT_UNREADABLE: {
    meaning: 'The files of the project cannot be listed.',
    advice: 'Try `git ls-files` in the project.',
  },
  PROJECT_UNTRUSTED: {
    meaning: 'The settings of the project start programs, and you have not trusted them.',
    advice: 'See what they do and decide with `troupe trust`.',
    status: 403,
  },
  PUSH_FAILED: {
    meaning: 'git could not push the branch.',
    advice: 'Push it yourself with `git push`.',
    exit: 'failed',
  },
  REF_UNKNOWN: {
    meaning: 'The repository has no such branch, tag or commit.',
    advice: 'Choose one from `git branch --all`.',
    status: 404,
  },
  REPOSITORY_DAMAGED: {
    meaning: 'The HEAD of the repository leads to no commit.',
    advice: 'Check the repository with `git fsck`.',
    status: 500,
    exit: 'failed',
  },
  RESOURCE_EXHAUSTED: {
    meaning: 'All units of a resource are in use.',
    advice: 'Wait until one is free, or configure more of them.',
    status: 500,
    exit: 'failed',
  },
  RESOURCE_FEW: {
    meaning: 'A run may have more workspaces at once than there are units of a resource.',
    advice: 'Configure more of it under `resources`.',
  },
  RESOURCE_KIND: {
    meaning: 'The resource cannot be used in the way that the workflow wants.',
    advice: 'Use one of the resources in the message.',
  },
  RESOURCE_UNKNOWN: {
    meaning: 'No resource has this name.',
    advice: 'Configure it under `resources`, or correct the name.',
    status: 404,
  },
  SETUP_COPY_FAILED: {
    meaning: 'The files that the setup made could not be copied to a workspace.',
    advice: 'Read the message, then resume the run.',
  },
  SETUP_FAILED: {
    meaning: 'The setup command of the project failed.',
    advice: 'Fix the command, or resume the run with `--no-setup`.',
    status: 500,
    exit: 'failed',
    pausesRun: true,
  },
  STORE_ADDRESS_INVALID: {
    meaning: 'The setting `store` is neither a PostgreSQL address nor an absolute path.',
    advice: 'Write `postgres://USER@HOST/DATABASE`, or the path of a shared folder.',
  },
  STORE_BUSY: {
    meaning: 'Another process kept the store of files locked for too long.',
    advice: 'Wait until it ends, then resume the run.',
    status: 409,
    exit: 'failed',
    pausesRun: true,
  },
  STORE_DAMAGED: {
    meaning: 'The store holds files that are not what was recorded.',
    advice: 'Run `troupe doctor` to see which.',
    status: 500,
    exit: 'failed',
    pausesRun: true,
  },
  STORE_NEWER: { meaning: 'A newer version of Troupe recorded the files.', advice: 'Upgrade Troupe.' },
  STORE_NOT_SHARED: {
    meaning: 'The folder is not the one that the other workers share.',
    advice: 'Mount the shared folder at this path on every worker.',
    pausesRun: true,
  },
  STORE_UNREACHABLE: {
    meaning: 'The shared store of files cannot be reached.',
    advice: 'Mount the folder or start the database, then resume the run.',
    pausesRun: true,
  },
  STORE_UNWRITABLE: {
    meaning: 'The store of files cannot be written.',
    advice: 'Make it writable, or choose another place.',
    status: 500,
    exit: 'failed',
    pausesRun: true,
  },
  TREE_GONE: {
    meaning: 'The recorded files are not kept here any more.',
    advice: 'Continue from a later step, or start the run again.',
    status: 404,
    pausesRun: true,
  },
  TREE_IMPOSSIBLE: { meaning: 'A path cannot be part of recorded files.', advice: 'Rename the file.' },
  TRUST_STORE_DAMAGED: {
    meaning: 'The list of trusted projects cannot be read.',
    advice: 'Remove the file, then trust the projects again.',
    status: 500,
  },
  WORKSPACE_GIT_FAILED: {
    meaning: 'git could not make the repository of a workspace.',
    advice: 'Read the message, then resume the run.',
    pausesRun: true,
  },
  WORKSPACE_MISSING: {
    meaning: 'The folder of the workspace does not exist.',
    advice: 'Resume the run to make it again, or leave out `--disk`.',
    status: 404,
    pausesRun: true,
  },
  WORKSPACE_NAME_INVALID: {
    meaning: 'The text cannot be the name of a workspace.',
    advice: 'Use letters, digits, dots, dashes and underscores.',
  },
  WORKSPACE_NO_OVERLAY: {
    meaning: 'Overlay workspaces do not work on this machine.',
    advice: 'Set `workspaces.method` to `copy`.',
    pausesRun: true,
  },
  WORKSPACE_RULES_DAMAGED: {
    meaning: 'The rules for ignored files of the run cannot be read.',
    advice: 'Remove the file that the message names.',
    status: 500,
    pausesRun: true,
  },
  WORKSPACE_UNKNOWN: {
    meaning: 'The run has no workspace with this name.',
    advice: 'Choose one of the names in the message.',
    status: 404,
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;
