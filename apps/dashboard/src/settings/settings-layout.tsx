import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';
import { SectionPanel, SectionTabs, useSection } from '../kit/sections.tsx';
import { useWords } from '../words/words.tsx';
import { settingsWords } from './settings.words.ts';
import './settings.css';

const sections = [
  'profile',
  'security',
  'connect',
  'keys',
  'services',
  'apps',
  'authorized',
  'usage',
  'audit',
] as const;

/** The sections at the left, or in one scrollable line if there is no room. */
export function SettingsLayout() {
  const words = useWords(settingsWords);
  const navigate = useNavigate();
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const section = useSection(sections, 2);
  return (
    <Page title={words.title}>
      <div className="settings">
        <SectionTabs
          names={sections}
          section={section}
          words={words}
          go={(name) => void navigate({ to: `/settings/${name}` })}
          orientation={isWide ? 'vertical' : 'horizontal'}
          placement="left"
          variant={isWide ? 'pills' : 'default'}
        />
        <SectionPanel label={words[section]} />
      </div>
    </Page>
  );
}
