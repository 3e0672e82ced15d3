import type { File } from '@bottega/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Place } from '../api/project.ts';
import { useSignedIn } from '../api/session.ts';
import { ownerOf } from './drafts.ts';
import { close, drop, focusedIn, follow, type Groups, join, move, reach, showIn, split } from './groups.ts';
import { keepGroups, readGroups } from './kept-groups.ts';
import type { Tab } from './tabs.ts';

const route = getRouteApi('/inside/projects/$projectId/files');

type Options = {
  place: Place;
  files: readonly File[];
  tabs: readonly Tab[];
  /** The file and the line in the URL. */
  wanted: string | undefined;
  line: number | undefined;
  /** Whether there is room for only one group. */
  isNarrow: boolean;
};

type State = {
  groups: Groups;
  before: readonly string[];
  wanted: string | undefined;
  line: number | undefined;
  /** The group to which the URL led last. The line in the URL refers to a file in this group. */
  meant: number;
  /** Increases each time that the keyboard's focus has to move to the text of the group with the focus. */
  asked: number;
};

export type TabGroups = ReturnType<typeof useGroups>;

/**
 * The groups of tabs: open texts, files that have no text, and files from before a reload, which are read when they are
 * shown. The URL follows the group with the focus, and that group follows the URL.
 */
export function useGroups({ place, files, tabs, wanted, line, isNarrow }: Options) {
  const { user } = useSignedIn();
  const owner = useMemo(() => ownerOf(user.id, place), [user.id, place]);
  const [state, set] = useState<State>(() => ({
    ...{ groups: begun(readGroups(owner), isNarrow), before: [], wanted: undefined, line: undefined },
    ...{ meant: 0, asked: 0 },
  }));
  const existing = useMemo(() => new Set(files.filter(({ type }) => type === 'file').map(({ path }) => path)), [files]);
  const hasTab = (path: string | undefined) => path !== undefined && existing.has(path);
  const followed = following(state, { now: tabs.map(({ path }) => path), wanted, line, hasTab });
  const groups = shownOf(followed.groups, (path) => existing.has(path) || followed.before.includes(path));
  // If a group was removed because all of its files were deleted, this is stored, so that it does not come back with
  // the next file.
  const next = groups.all.length < followed.groups.all.length ? { ...followed, groups } : followed;
  if (next !== state) set(next);
  useEffect(() => keepGroups(owner, next.groups), [owner, next.groups]);
  const navigated = useShownInUrl(focusedIn(groups).shown, wanted);
  const change = (act: (now: Groups) => Groups) => set((last) => ({ ...last, groups: act(last.groups) }));
  const isSplit = groups.all.length > 1 && !isNarrow;
  const focused = focusedIn(groups);
  const divide = (from: number, path: string) =>
    set((last) => ({ ...last, groups: split(last.groups, from, path), asked: last.asked + 1 }));
  const unite = () => set((last) => ({ ...last, groups: join(last.groups), asked: last.asked + 1 }));
  return {
    all: groups.all,
    focused,
    /** The files that the groups show. */
    shown: [...new Set(groups.all.flatMap(({ shown }) => shown ?? []))],
    isSplit,
    isNarrow,
    meant: next.meant,
    asked: next.asked,
    /** Shows a file in the group with the focus. The caller adds it to the browser's history. */
    show(path: string | undefined): void {
      navigated(path);
      change((now) => (isNarrow ? reach : showIn)(now, path, hasTab(path)));
    },
    focus: (id: number) => id !== groups.focused && change((now) => ({ ...now, focused: id })),
    split: divide,
    join: unite,
    /** Opens the shown file in a second group, or makes one group of two. */
    toggle(): void {
      if (isSplit) unite();
      else if (!isNarrow && focused.shown !== undefined) divide(focused.id, focused.shown);
    },
    close: (path: string, id?: number) => change((now) => close(now, (one) => one === path, id)),
    move: (moved: { from: string; to: string }) => change((now) => move(now, moved)),
    /**
     * Call this after the user has deleted a file or a folder. If there is only one group, no other tab is shown until
     * the user chooses one.
     */
    leave(gone: string): void {
      const isGone = (path: string) => path === gone || path.startsWith(`${gone}/`);
      change((now) => {
        const left = close(now, isGone);
        const { shown } = focusedIn(now);
        return now.all.length === 1 && shown !== undefined && isGone(shown) ? showIn(left, undefined, false) : left;
      });
    },
  };
}

/** On a phone, the tree is shown until the user opens a file. */
function begun(kept: Groups, isNarrow: boolean): Groups {
  return isNarrow ? showIn(kept, undefined, false) : kept;
}

type Now = Pick<State, 'wanted' | 'line'> & {
  now: readonly string[];
  hasTab: (path: string | undefined) => boolean;
};

function following(state: State, { now, wanted, line, hasTab }: Now): State {
  const isChanged = now.join('\n') !== state.before.join('\n');
  const isLed = wanted !== state.wanted || line !== state.line;
  if (!isChanged && !isLed) return state;
  const followed = isChanged ? follow(state.groups, state.before, now) : state.groups;
  if (!isLed) return { ...state, groups: followed, before: now };
  const groups = wanted === state.wanted ? followed : reach(followed, wanted, hasTab(wanted));
  return { ...state, groups, before: now, wanted, line, meant: groups.focused };
}

/** Files that other people deleted have no tabs. */
const shownOf = (groups: Groups, isThere: (path: string) => boolean): Groups =>
  groups.all.every(({ paths }) => paths.every(isThere)) ? groups : drop(groups, (path) => !isThere(path));

/** Puts the shown file into the URL, if it has changed for a reason other than a navigation. */
function useShownInUrl(shown: string | undefined, wanted: string | undefined): (path: string | undefined) => void {
  const navigate = route.useNavigate();
  const asked = useRef<{ path: string | undefined } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the groups follow the URL before this runs
  useEffect(() => {
    const isAsked = asked.current?.path === shown && asked.current !== null;
    asked.current = null;
    if (shown === wanted || isAsked) return;
    void navigate({ search: (now) => ({ ...now, path: shown, line: undefined }), replace: true });
  }, [shown]);
  return (path) => {
    asked.current = { path };
  };
}
