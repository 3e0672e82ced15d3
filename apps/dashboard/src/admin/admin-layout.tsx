import { useNavigate } from '@tanstack/react-router';
import { useSignedIn } from '../api/session.ts';
import { DeadEnd } from '../kit/error-screen.tsx';
import { Page } from '../kit/page.tsx';
import { SectionPanel, SectionTabs, useSection } from '../kit/sections.tsx';
import { useWords } from '../words/words.tsx';
import { adminWords } from './admin.words.ts';

const sections = ['users', 'projects', 'plans', 'usage', 'health', 'audit'] as const;

/**
 * The frame of the administration. Users who are not administrators get a message instead of screens whose requests the
 * service would refuse.
 */
export function AdminLayout() {
  const words = useWords(adminWords);
  const { is_admin: isAdmin } = useSignedIn();
  const navigate = useNavigate();
  const section = useSection(sections, 2);
  if (!isAdmin) {
    return (
      <Page title={words.title} width="text">
        <DeadEnd title={words.notYours} hint={words.notYoursHint} />
      </Page>
    );
  }
  return (
    <Page title={words.title}>
      <SectionTabs
        names={sections}
        section={section}
        words={words}
        go={(name) => void navigate({ to: `/admin/${name}` })}
        mb="lg"
      />
      <SectionPanel label={words[section]} />
    </Page>
  );
}
