import { SegmentedControl } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { useWords } from '../words/words.tsx';
import type { DiffView } from './diff-rows.ts';
import { viewWords } from './diff-view.words.ts';

/** The chosen view. A narrow window has no room for two sides. */
export function useDiffView(): { view: DiffView; choose: (view: DiffView) => void; isWide: boolean } {
  const [chosen, choose] = useLocalStorage<DiffView>({
    key: 'bottega-diff-view',
    defaultValue: 'unified',
    getInitialValueInEffect: false,
  });
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  return { view: isWide && chosen === 'split' ? 'split' : 'unified', choose, isWide };
}

export function DiffViewSwitch() {
  const words = useWords(viewWords);
  const { view, choose, isWide } = useDiffView();
  if (!isWide) return null;
  return (
    <SegmentedControl
      size="xs"
      aria-label={words.view}
      value={view}
      onChange={(value) => choose(value === 'split' ? 'split' : 'unified')}
      data={[
        { value: 'unified', label: words.unified },
        { value: 'split', label: words.split },
      ]}
    />
  );
}
