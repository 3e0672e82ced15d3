import { type Static, Type } from 'typebox';
import { defaulted, lineOfText, linesOfText, named, PageInfo, strict, Timestamp } from './primitives.ts';

const fileFields = {
  id: Type.String({ examples: ['fil_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  name: Type.String(),
  path: Type.String({ examples: ['/src/main.ts'] }),
  type: Type.Enum(['file', 'directory']),
  size: Type.Optional(Type.Integer({ description: 'Size in bytes; files only' })),
  mime_type: Type.Optional(Type.String({ description: 'Set for files only' })),
  created_at: Timestamp,
  updated_at: Timestamp,
  checksum: Type.Optional(Type.String({ description: '`sha256:` followed by the hex digest; files only' })),
};

export const File = named('File', fileFields);
export type File = Static<typeof File>;

export const WrittenFile = named('WrittenFile', {
  ...fileFields,
  commit_sha: Type.Union([Type.String(), Type.Null()], { description: 'null without version control' }),
  branch: Type.Optional(Type.String({ description: 'Present if the request names a branch' })),
});
export type WrittenFile = Static<typeof WrittenFile>;

export const FileList = Type.Object({ data: Type.Array(File) });

/** A path. Its leading slash counts towards the length, even if the service added it. */
export const path = Type.String({
  minLength: 1,
  maxLength: 1024,
  format: 'file-path',
  examples: ['/src/main.ts', '/README.md'],
  description: 'At most 64 levels and 255 bytes per name. No control characters, and no name `.`, `..` or `.git`.',
});
export const branchName = Type.String({ minLength: 1, maxLength: 200, format: 'branch-name', examples: ['main'] });
/** The branch of a write. */
const onBranch = {
  branch: Type.Optional(
    Type.String({ ...branchName, description: 'The branch to write to; default: `main`. 404 if it does not exist' }),
  ),
  create_branch_from: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      examples: ['main'],
      description: 'Branch, tag or commit from which the write creates `branch` if `branch` does not exist',
    }),
  ),
};
/** The branch of a read. */
const ofBranch = Type.Optional(
  Type.String({ ...branchName, description: 'The branch to read; default: `main`. Cannot be combined with `ref`' }),
);
const ref = Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'A branch, a tag or a commit' }));
const ofWorkspace = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    examples: ['wks_01jd2m6vz8e3r9x5k7q4w1t0ab'],
    description:
      'Read the files on the disk of this running workspace, including files that git ignores. Only for members of the project. File ids are valid only with the same workspace. Cannot be combined with `ref`, `branch` or `recursive`',
  }),
);

export const FileListQuery = Type.Object({
  path: Type.Optional(
    Type.String({ maxLength: 1024, format: 'directory-path', description: 'Directory to list. Default: the root.' }),
  ),
  recursive: defaulted(Type.Boolean({ default: false })),
  type: Type.Optional(Type.Enum(['file', 'directory'])),
  ref,
  branch: ofBranch,
  workspace: ofWorkspace,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Page size. Follow `next` to get the next page.',
    }),
  ),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description: 'List entries after this path' })),
});
export type FileListQuery = Static<typeof FileListQuery>;

export const FileContentQuery = Type.Object({
  ref,
  branch: ofBranch,
  workspace: ofWorkspace,
  download: defaulted(Type.Boolean({ default: false })),
});

export const encoding = Type.String({
  pattern: '^([Uu][Tt][Ff]-8|[Bb][Aa][Ss][Ee]64)$',
  examples: ['utf-8', 'base64'],
  description: 'utf-8 or base64, case-insensitive',
});
export const message = Type.String({ minLength: 1, maxLength: 10_000, pattern: linesOfText });

export const WriteFile = strict({
  path,
  content: Type.String(),
  encoding: Type.Optional(encoding),
  message: Type.Optional(message),
  ...onBranch,
});
export type WriteFile = Static<typeof WriteFile>;

export const RawFileQuery = Type.Object({
  path: Type.Optional(path),
  message: Type.Optional(message),
  ...onBranch,
});

export const DeleteFileQuery = Type.Object(onBranch);

export const MoveFile = strict({ path, message: Type.Optional(message), ...onBranch });
export type MoveFile = Static<typeof MoveFile>;

const Person = Type.Object({ name: Type.String(), email: Type.String() });

const commitFields = {
  sha: Type.String(),
  message: Type.String({ description: 'At most the first 65,536 characters of the message' }),
  message_truncated: Type.Boolean({ description: 'Whether `message` was truncated' }),
  author: Person,
  committed_at: Timestamp,
  parents: Type.Array(Type.String()),
  branch: Type.Optional(Type.String({ description: 'Present if the request that created the commit named a branch' })),
};

export const Commit = named('Commit', commitFields);
export type Commit = Static<typeof Commit>;

export const CommitList = Type.Object({ data: Type.Array(Commit), pagination: PageInfo });

export const CommitListQuery = Type.Object({
  path: Type.Optional(Type.String({ maxLength: 1024, format: 'directory-path' })),
  ref,
  branch: ofBranch,
  page: defaulted(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  cursor: Type.Optional(
    Type.String({
      pattern: '^([0-9a-f]{40}){1,40}$',
      description:
        'Start of the page, from the `next` link of the previous page. With a cursor, `page` has no effect and is returned unchanged.',
    }),
  ),
});
export type CommitListQuery = Static<typeof CommitListQuery>;

export const CommitQuery = Type.Object({
  diffs: defaulted(
    Type.Integer({
      minimum: 0,
      maximum: 300,
      default: 300,
      description: 'Number of files that include `diff` and counts. Request other files with `path`.',
    }),
  ),
  path: Type.Optional(
    Type.String({
      maxLength: 1024,
      format: 'file-path',
      description: 'Return only the file at this path. For a renamed file, specify the new path.',
    }),
  ),
});
export type CommitQuery = Static<typeof CommitQuery>;

/** The files that differ between two commits, as far as one response contains them. */
export const changedFiles = {
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      previous_path: Type.Union([Type.String(), Type.Null()], { description: 'The path before a rename' }),
      status: Type.Enum(['added', 'modified', 'deleted', 'renamed']),
      additions: Type.Integer({ description: 'Number of added lines; 0 if they were not counted' }),
      deletions: Type.Integer({ description: 'Number of removed lines; 0 if they were not counted' }),
      diff: Type.Union([Type.String(), Type.Null()], {
        description: 'Unified diff; null if the file is binary or very large, or the response reached its size limit',
      }),
    }),
  ),
  truncated: Type.Boolean({
    description:
      'Whether files, or their `diff` and counts, are missing because there are too many files. Files without a diff because of a smaller `diffs` value do not count.',
  }),
};

export const CommitDetail = named('CommitDetail', { ...commitFields, ...changedFiles });
export type CommitDetail = Static<typeof CommitDetail>;

export const CreateCommit = Type.Object(
  {
    message: Type.Optional(message),
    ...onBranch,
    changes: Type.Array(
      strict({
        action: Type.Enum(['create', 'update', 'delete', 'move']),
        path,
        new_path: Type.Optional(path),
        content: Type.Optional(Type.String()),
        encoding: Type.Optional(encoding),
        expected_checksum: Type.Optional(
          Type.String({
            pattern: '^sha256:[0-9a-f]{64}$',
            description:
              'The checksum that the file must have before the commit. Otherwise, nothing changes and the response is a 412.',
          }),
        ),
      }),
      { minItems: 1, maxItems: 1000 },
    ),
  },
  {
    additionalProperties: false,
    examples: [{ message: 'Begin', changes: [{ action: 'create', path: '/docs/guide.md', content: '# Guide\n' }] }],
  },
);
export type CreateCommit = Static<typeof CreateCommit>;

export const Branch = named('Branch', {
  name: Type.String(),
  sha: Type.String(),
  is_default: Type.Boolean(),
  protected: Type.Boolean({ description: 'Whether a rule allows changes to the branch only through merge requests' }),
  updated_at: Timestamp,
});
export type Branch = Static<typeof Branch>;

export const BranchList = Type.Object({ data: Type.Array(Branch) });

export const CreateBranch = strict({
  name: branchName,
  from: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Default: the default branch' })),
});
export type CreateBranch = Static<typeof CreateBranch>;

export const ArchiveQuery = Type.Object({
  format: defaulted(Type.Enum(['zip', 'tar.gz'], { default: 'zip' })),
  ref: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'A branch, a tag or a commit' })),
});

export const SearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 200, pattern: lineOfText }),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  ref,
  branch: ofBranch,
});

export const SearchResults = Type.Object({
  data: Type.Array(
    Type.Object({
      file_id: Type.String(),
      path: Type.String(),
      line: Type.Integer({ description: 'Starts at 1' }),
      column: Type.Integer({ description: 'Starts at 1; counts UTF-16 code units' }),
      excerpt: Type.String(),
    }),
  ),
  truncated: Type.Boolean({ description: 'Whether there are more matches, or some files were too large to search' }),
});
export type SearchResults = Static<typeof SearchResults>;

export const CreateShareLink = strict({
  expires_in: Type.Optional(
    Type.Integer({ minimum: 60, maximum: 30 * 86_400, default: 86_400, description: 'In seconds' }),
  ),
});

export const ShareLink = named('ShareLink', {
  url: Type.String(),
  expires_at: Timestamp,
  file_id: Type.String(),
  path: Type.String(),
});
export type ShareLink = Static<typeof ShareLink>;
