import type { File } from '@bottega/contract';
import { ActionIcon, Group, Menu, Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconDownload,
  type IconFile,
  IconFilePlus,
  IconHistory,
  IconLink,
  IconPencil,
  IconSearch,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { memo, useCallback, useRef } from 'react';
import type { Place } from '../api/project.ts';
import { openDialog } from '../kit/dialog.ts';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { downloadLink } from './file-content.ts';
import { shareWords } from './share.words.ts';
import { ShareForm } from './share-form.tsx';
import { FileTree } from './tree-of-files.tsx';
import type { useFileChanges } from './use-file-changes.tsx';

type Props = {
  files: readonly File[];
  current: string | undefined;
  place: Place;
  canWrite: boolean;
  /** Whether the user can create share links. This does not depend on whether the branch can be edited. */
  canShare: boolean;
  changes: ReturnType<typeof useFileChanges>;
  open: (path: string) => void;
  sought: { path: string } | undefined;
  search: () => void;
};

/**
 * The panel with the tree. It is memoized, so that typing in the editor does not render it again: each of its rows has
 * a menu.
 */
export const FilePanel = memo(function FilePanel(props: Props) {
  const { files, current, place, canWrite, canShare, changes, open, sought, search } = props;
  const words = useWords(editorWords);
  const picker = useRef<HTMLInputElement>(null);
  const pickedFor = useRef('');
  const pick = useCallback((directory: string) => {
    pickedFor.current = directory;
    picker.current?.click();
  }, []);
  const menu = useCallback(
    (file: File) => <FileMenu {...{ file, place, canWrite, canShare, changes, pick }} />,
    [place, canWrite, canShare, changes, pick],
  );
  const move = canWrite ? changes.moveTo : undefined;
  const body = <FileTree {...{ files, current, open, sought, menu, move }} />;
  return (
    <>
      <Group
        className="side-tools"
        gap={4}
        p={6}
        justify="flex-end"
        style={{ borderBottom: '1px solid var(--surface-line)' }}
      >
        {canWrite && (
          <>
            <PanelButton label={words.newFile} icon={IconFilePlus} act={() => changes.create('/')} />
            <PanelButton label={words.upload} icon={IconUpload} act={() => pick('')} />
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              aria-label={words.upload}
              onChange={(event) => {
                void changes.upload([...(event.currentTarget.files ?? [])], pickedFor.current);
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
});

function PanelButton({ label, icon: Icon, act }: { label: string; icon: typeof IconFile; act: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" onClick={act} aria-label={label}>
        <Icon size={17} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}

type MenuProps = Pick<Props, 'place' | 'canWrite' | 'canShare' | 'changes'> & {
  file: File;
  pick: (directory: string) => void;
};

function FileMenu({ file, place, canWrite, canShare, changes, pick }: MenuProps) {
  const { projectId, branch } = place;
  const words = useWords(editorWords);
  const navigate = useNavigate();
  const isDirectory = file.type === 'directory';
  return (
    <Menu position="bottom-end" width={200} withinPortal>
      <Menu.Target>
        {/* A character instead of an icon, because every row in view has one. */}
        <UnstyledButton
          className="tree-actions"
          aria-label={words.actions(file.name)}
          onClick={(event) => event.stopPropagation()}
        >
          ⋯
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {canWrite && isDirectory && (
          <Menu.Item leftSection={<IconFilePlus size={14} />} onClick={() => changes.create(file.path)}>
            {words.newHere}
          </Menu.Item>
        )}
        {canWrite && isDirectory && (
          <Menu.Item leftSection={<IconUpload size={14} />} onClick={() => pick(file.path)}>
            {words.uploadHere}
          </Menu.Item>
        )}
        {canWrite && (
          <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => changes.move(file)}>
            {words.move}
          </Menu.Item>
        )}
        {!isDirectory && (
          <Menu.Item component="a" href={downloadLink(place, file.id)} leftSection={<IconDownload size={14} />}>
            {words.download}
          </Menu.Item>
        )}
        {/* A share link opens the file on main. */}
        {canShare && !isDirectory && branch === undefined && <ShareItem file={file} projectId={projectId} />}
        <Menu.Item
          leftSection={<IconHistory size={14} />}
          onClick={() =>
            void navigate({
              to: '/projects/$projectId/history',
              params: { projectId },
              search: { path: file.path, ref: branch },
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

function ShareItem({ file, projectId }: { file: File; projectId: string }) {
  const words = useWords(shareWords);
  const share = () =>
    openDialog({ title: words.title(file.name), children: <ShareForm projectId={projectId} file={file} /> });
  return (
    <Menu.Item leftSection={<IconLink size={14} />} onClick={share}>
      {words.share}
    </Menu.Item>
  );
}
