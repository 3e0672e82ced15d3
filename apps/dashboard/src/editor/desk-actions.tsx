import { ActionIcon, Button, Text, Tooltip } from '@mantine/core';
import { IconEye, IconGitCommit, IconLayoutColumns, IconRocket } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Run, RunButton } from '../run/run-button.tsx';
import { useWords } from '../words/words.tsx';
import { changeWords } from './changes.words.ts';
import { editorWords } from './editor.words.ts';
import { previewWords } from './preview.words.ts';
import { previewKindOf } from './preview-kind.ts';
import type { Previewed } from './previewed.ts';
import { isDirty, type Tab } from './tabs.ts';
import type { useDesk } from './use-desk.tsx';
import type { TabGroups } from './use-groups.ts';

type Props = {
  desk: ReturnType<typeof useDesk>;
  groups: TabGroups;
  /** Whether the branch is main. Other branches are deployed as previews. */
  isMain: boolean;
  /** Whether the user can edit the project, and deploy it. */
  canWrite: boolean;
  /** Whether the user can also edit this branch. */
  canEdit: boolean;
  isLive: boolean;
  /** Without version control there is nothing to commit or deploy. */
  hasCommits: boolean;
  showChanges: () => void;
  preview: Previewed | undefined;
  show: (preview: Previewed | undefined) => void;
  liveButton: ReactNode;
  /** Null if the reader may not see workspaces. */
  run: Run | null;
};

/** The actions for open files. They stay at the same place however many tabs there are. */
export function DeskActions({ desk, groups, isMain, canWrite, canEdit, isLive, hasCommits, ...showing }: Props) {
  const { preview, show, showChanges, run, liveButton } = showing;
  const { active, dirty, deploying } = desk;
  const changes = useWords(changeWords);
  const words = useWords(previewWords);
  const [deploy, saveAndDeploy] = isMain
    ? [words.deploy, words.saveAndDeploy]
    : [words.deployPreview, words.saveAndDeployPreview];
  const { shown } = groups.focused;
  const firstShown = shown !== undefined && previewKindOf(shown) ? 'file' : 'site';
  return (
    <div className="desk-actions">
      {active && !isLive && <SaveState desk={desk} active={active} canEdit={canEdit} />}
      {canEdit && hasCommits && dirty.length > 0 && (
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconGitCommit size={14} aria-hidden />}
          onClick={showChanges}
        >
          {changes.changes(dirty.length)}
        </Button>
      )}
      <SplitButton groups={groups} />
      <Tooltip label={preview ? words.hide : words.preview}>
        <ActionIcon
          size="sm"
          variant={preview ? 'light' : 'default'}
          aria-pressed={preview !== undefined}
          aria-label={words.preview}
          onClick={() => show(preview ? undefined : firstShown)}
        >
          <IconEye size={14} />
        </ActionIcon>
      </Tooltip>
      {canWrite && hasCommits && (
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconRocket size={14} aria-hidden />}
          loading={deploying.isUnderWay}
          onClick={() => {
            show('site');
            desk.deploy();
          }}
        >
          {canEdit && dirty.length > 0 ? saveAndDeploy : deploy}
        </Button>
      )}
      {run && <RunButton isShown={run.isShown} toggle={run.toggle} />}
      {liveButton}
    </div>
  );
}

/** Opens the shown file beside itself, or makes one group of two again. A phone has no room for two. */
function SplitButton({ groups: { isNarrow, isSplit, focused, toggle } }: { groups: TabGroups }) {
  const words = useWords(editorWords);
  if (isNarrow || (!isSplit && focused.shown === undefined)) return null;
  return (
    <Tooltip label={`${isSplit ? words.join : words.split} (${words.splitKeys})`}>
      <ActionIcon
        size="sm"
        variant={isSplit ? 'light' : 'default'}
        aria-pressed={isSplit}
        aria-label={words.split}
        onClick={toggle}
      >
        <IconLayoutColumns size={14} />
      </ActionIcon>
    </Tooltip>
  );
}

type SaveProps = Pick<Props, 'desk' | 'canEdit'> & { active: Tab };

function SaveState({ desk: { saving, save }, active, canEdit }: SaveProps) {
  const words = useWords(editorWords);
  const state = saving.isPending ? words.saving : isDirty(active) ? words.unsaved : words.saved;
  return (
    <>
      <Text size="xs" c="dimmed" role="status">
        {canEdit ? state : words.readOnly}
      </Text>
      {canEdit && (
        <Button size="compact-xs" onClick={() => save(active)} disabled={!isDirty(active)}>
          {words.save}
        </Button>
      )}
    </>
  );
}
