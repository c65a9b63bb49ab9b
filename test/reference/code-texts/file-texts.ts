import type { FILE_CODES } from '../../../src/core/codes/file-codes.ts';
import type { CodeTexts } from './code-texts.ts';

/** Files: projects, stores, workspaces, git and artifacts. */
export const FILE_TEXTS: CodeTexts<typeof FILE_CODES> = {
  ARTIFACT_AMBIGUOUS: [
    'Several artifacts have an id that begins like this.',
    'Write more of the id, or give the path.',
  ],
  ARTIFACT_CHANGED: [
    'A file that a phase needs was changed after it was made.',
    'Restore the file with `troupe rollback`, or run its phase again.',
  ],
  ARTIFACT_DAMAGED: [
    'The kept content of an artifact is not what was recorded.',
    'Check the store with `troupe doctor`.',
  ],
  ARTIFACT_LARGE: ['The artifact is too large to show.', 'Write it to a file with `troupe artifacts RUN ID > FILE`.'],
  ARTIFACT_MISSING: [
    'A file that a phase needs does not exist.',
    'Restore the file with `troupe rollback`, or run its phase again.',
  ],
  ARTIFACT_NOT_KEPT: [
    'The file is ignored by a rule of the project, so its content was not kept.',
    'Remove the rule before the next run.',
  ],
  ARTIFACT_UNKNOWN: ['The run has no such artifact.', 'See them with `troupe artifacts RUN`.'],
  BRANCH_EXISTS: [
    'A branch with this name already exists.',
    'Choose another name with `--branch`, or rename the present one.',
  ],
  BRANCH_NAME: ['The text cannot be the name of a branch.', 'Choose another name, such as `troupe/result`.'],
  BRANCH_NOT_WRITTEN: ['git could not write the branch.', 'Try again, or choose another name.'],
  CWD_MISSING: ['The current folder does not exist any more.', 'Change to a folder that exists.'],
  DISK_FULL: [
    'There is no space left on the disk.',
    'Free some space, for instance with `troupe prune`, then resume the run.',
  ],
  FILES_NONE: [
    'The run has no files, because none of its agents can use a tool.',
    'Read what was said with `troupe logs RUN`.',
  ],
  FILES_PRUNED: ['The files of the run are no longer stored.', 'Start the run again if you need them.'],
  FILE_EXISTS: ['The file already exists.', 'Choose another name, or remove the file first.'],
  FILE_LARGE: ['The file is too large to show.', 'Open it in the folder of the workspace.'],
  FILE_MISSING: ['The named file does not exist.', 'Name a file or folder that exists.'],
  FOLDER_MISSING: ['The folder does not exist.', 'Create it, or name another one.'],
  GIT_FAILED: ['A git command failed.', 'Try again, then check the repository with `git fsck`.'],
  GIT_MISSING: ['git is not installed on this machine.', 'Install git 2.31 or later.'],
  NOT_A_REPOSITORY: [
    'The project is not in a git repository that git can read.',
    'Take the result as a patch or with `--apply`, and compare with `--project`.',
  ],
  NOT_WRITABLE: ['The file or folder cannot be written.', 'Make its folder writable, or name another place.'],
  PROJECT_MISSING: ['The folder of the project does not exist.', 'Name the folder of a project.'],
  PROJECT_NOT_A_FOLDER: ['The project is not a folder.', 'Name the folder that holds the project.'],
  PROJECT_NOT_TRUSTABLE: [
    'A file among the settings of the project cannot be trusted, such as a link.',
    'Put plain files there.',
  ],
  PROJECT_TOO_LARGE: [
    'The project is larger than workspaces may be.',
    'Let git ignore large files, or raise `workspaces.max_files` and `workspaces.max_bytes`.',
  ],
  PROJECT_UNREADABLE: ['The files of the project cannot be listed.', 'Try `git ls-files` in the project.'],
  PROJECT_UNTRUSTED: [
    'The settings of the project start programs, and you have not trusted them.',
    'See what they do and decide with `troupe trust`.',
  ],
  PUSH_FAILED: ['git could not push the branch.', 'Push it yourself with `git push`.'],
  REF_UNKNOWN: ['The repository has no such branch, tag or commit.', 'Choose one from `git branch --all`.'],
  REPOSITORY_DAMAGED: ['The HEAD of the repository leads to no commit.', 'Check the repository with `git fsck`.'],
  RESOURCE_EXHAUSTED: ['All units of a resource are in use.', 'Wait until one is free, or configure more of them.'],
  RESOURCE_FEW: [
    'A run may have more workspaces at once than there are units of a resource.',
    'Configure more of it under `resources`.',
  ],
  RESOURCE_KIND: [
    'The resource cannot be used in the way that the workflow wants.',
    'Use one of the resources in the message.',
  ],
  RESOURCE_UNKNOWN: ['No resource has this name.', 'Configure it under `resources`, or correct the name.'],
  SETUP_COPY_FAILED: [
    'The files that the setup created could not be copied to a workspace.',
    'Read the message, then resume the run.',
  ],
  SETUP_FAILED: ['The setup command of the project failed.', 'Fix the command, or resume the run with `--no-setup`.'],
  STORE_ADDRESS_INVALID: [
    'The setting `store` is neither a PostgreSQL address nor an absolute path.',
    'Write `postgres://USER@HOST/DATABASE`, or the path of a shared folder.',
  ],
  STORE_BUSY: [
    'Another process kept the store of files locked for too long.',
    'Wait until it ends, then resume the run.',
  ],
  STORE_DAMAGED: ['The store holds files that are not what was recorded.', 'Run `troupe doctor` to see which.'],
  STORE_NEWER: ['A newer version of Troupe recorded the files.', 'Upgrade Troupe.'],
  STORE_NOT_SHARED: [
    'The folder is not the one that the other workers share.',
    'Mount the shared folder at this path on every worker.',
  ],
  STORE_UNREACHABLE: [
    'The shared store of files cannot be reached.',
    'Mount the folder or start the database, then resume the run.',
  ],
  STORE_UNWRITABLE: ['The store of files cannot be written.', 'Make it writable, or choose another place.'],
  TREE_GONE: ['The recorded files are not kept here any more.', 'Continue from a later step, or start the run again.'],
  TREE_IMPOSSIBLE: ['A path cannot be part of recorded files.', 'Rename the file.'],
  TRUST_STORE_DAMAGED: [
    'The list of trusted projects cannot be read.',
    'Remove the file, then trust the projects again.',
  ],
  WORKSPACE_GIT_FAILED: ['git could not make the repository of a workspace.', 'Read the message, then resume the run.'],
  WORKSPACE_MISSING: [
    'The folder of the workspace does not exist.',
    'Resume the run to make it again, or leave out `--disk`.',
  ],
  WORKSPACE_NAME_INVALID: [
    'The text cannot be the name of a workspace.',
    'Use letters, digits, dots, dashes and underscores.',
  ],
  WORKSPACE_NO_OVERLAY: ['Overlay workspaces do not work on this machine.', 'Set `workspaces.method` to `copy`.'],
  WORKSPACE_RULES_DAMAGED: [
    'The rules for ignored files of the run cannot be read.',
    'Remove the file that the message names.',
  ],
  WORKSPACE_UNKNOWN: ['The run has no workspace with this name.', 'Choose one of the names in the message.'],
};
