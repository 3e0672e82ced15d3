import type { File } from '@bottega/contract';
import { ActionIcon, Box, Group, Menu, type RenderTreeNodePayload, Tooltip, Tree, useTree } from '@mantine/core';
import {
  IconChevronRight,
  IconDots,
  IconDownload,
  IconFile,
  IconFilePlus,
  IconFolder,
  IconHistory,
  IconPencil,
  IconSearch,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { downloadLink } from './file-content.ts';
import { directoriesAbove, type FileNode, fileTree } from './file-tree.ts';
import type { useFileChanges } from './use-file-changes.tsx';

type Props = {
  files: readonly File[];
  current: string | undefined;
  projectId: string;
  canWrite: boolean;
  changes: ReturnType<typeof useFileChanges>;
  open: (path: string) => void;
  search: () => void;
};

export function FilePanel({ files, current, projectId, canWrite, changes, open, search }: Props) {
  const words = useWords(editorWords);
  const data = useMemo(() => fileTree(files), [files]);
  const tree = useTree();
  const { expand } = tree;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the way to the shown file is opened once, not held open
  useEffect(() => {
    for (const directory of directoriesAbove(current ?? '')) expand(directory);
  }, [current]);
  const picker = useRef<HTMLInputElement>(null);

  const body = (
    <Box
      p={6}
      onKeyDown={(event) => {
        const row = (event.target as HTMLElement).querySelector<HTMLElement>(':scope > .tree-row');
        if (event.key === 'Enter' && row) row.click();
      }}
    >
      <Tree
        data={data}
        tree={tree}
        renderNode={(payload) => <TreeRow {...{ payload, current, projectId, canWrite, changes, open }} />}
        levelOffset={14}
        aria-label={words.tree}
        allowRangeSelection={false}
      />
    </Box>
  );
  return (
    <>
      <Group gap={4} p={6} justify="flex-end" style={{ borderBottom: '1px solid var(--surface-line)' }}>
        {canWrite && (
          <>
            <PanelButton label={words.newFile} icon={IconFilePlus} act={() => changes.create('/')} />
            <PanelButton label={words.upload} icon={IconUpload} act={() => picker.current?.click()} />
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              aria-label={words.upload}
              onChange={(event) => {
                void changes.upload([...(event.currentTarget.files ?? [])]);
                event.currentTarget.value = '';
              }}
            />
          </>
        )}
        <PanelButton label={words.search} icon={IconSearch} act={search} />
      </Group>
      {canWrite ? <changes.Dropping>{body}</changes.Dropping> : body}
    </>
  );
}

type RowProps = Omit<Props, 'files' | 'search'> & { payload: RenderTreeNodePayload };

function TreeRow({ payload: { node, expanded, elementProps }, current, open, ...menu }: RowProps) {
  const { file } = node as FileNode;
  const isDirectory = file.type === 'directory';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the item of the tree around it has the role and the keys
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on that item comes here
    <div
      {...elementProps}
      className={`${elementProps.className} tree-row`}
      data-open={file.path === current || undefined}
      onClick={(event) => {
        elementProps.onClick(event);
        if (!isDirectory) open(file.path);
      }}
    >
      <IconChevronRight
        size={12}
        aria-hidden
        style={{ visibility: isDirectory ? 'visible' : 'hidden', rotate: expanded ? '90deg' : '0deg', flexShrink: 0 }}
      />
      {isDirectory ? <IconFolder size={15} stroke={1.6} /> : <IconFile size={15} stroke={1.6} />}
      <span style={{ flex: 1, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{file.name}</span>
      <FileMenu file={file} {...menu} />
    </div>
  );
}

function PanelButton({ label, icon: Icon, act }: { label: string; icon: typeof IconFile; act: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" onClick={act} aria-label={label}>
        <Icon size={17} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}

type MenuProps = Pick<Props, 'projectId' | 'canWrite' | 'changes'> & { file: File };

function FileMenu({ file, projectId, canWrite, changes }: MenuProps) {
  const words = useWords(editorWords);
  const navigate = useNavigate();
  const isDirectory = file.type === 'directory';
  return (
    <Menu position="bottom-end" width={200} withinPortal>
      <Menu.Target>
        <ActionIcon
          className="tree-actions"
          size="xs"
          variant="subtle"
          color="gray"
          aria-label={words.actions(file.name)}
          onClick={(event) => event.stopPropagation()}
        >
          <IconDots size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {canWrite && isDirectory && (
          <Menu.Item leftSection={<IconFilePlus size={14} />} onClick={() => changes.create(file.path)}>
            {words.newHere}
          </Menu.Item>
        )}
        {canWrite && (
          <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => changes.move(file)}>
            {words.move}
          </Menu.Item>
        )}
        {!isDirectory && (
          <Menu.Item component="a" href={downloadLink(projectId, file.id)} leftSection={<IconDownload size={14} />}>
            {words.download}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconHistory size={14} />}
          onClick={() =>
            void navigate({
              to: '/projects/$projectId/history',
              params: { projectId },
              search: { path: file.path },
            })
          }
        >
          {words.history}
        </Menu.Item>
        {canWrite && (
          <Menu.Item leftSection={<IconTrash size={14} />} onClick={() => void changes.remove(file)}>
            {words.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
