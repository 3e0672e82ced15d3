import { ActionIcon, Box, Button, Group, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import {
  IconApi,
  IconBell,
  IconBook,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconMenu2,
  IconPlus,
  IconSearch,
  IconX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { afterContent } from '../api/after-content.ts';
import { sessionQuery } from '../api/session.ts';
import { Loading } from '../kit/loading.tsx';
import { useWords } from '../words/words.tsx';
import { useScreens } from './screens.ts';
import { shellWords } from './shell.words.ts';

/** Opens the palette as soon as its code has loaded. */
const openPalette = async (): Promise<void> => (await import('./open-palette.ts')).openPalette();

const Bell = lazy(() => afterContent(() => import('../notifications/bell.tsx')));
const AccountMenu = lazy(() => afterContent(() => import('./account-menu.tsx')));
const Palette = lazy(() => afterContent(() => import('./palette.tsx')));

const small = { size: 17, stroke: 1.6, 'aria-hidden': true };

const narrowKey = 'bottega.narrow-menu';

/** Whether the side menu shows only its icons, which this browser remembers. */
function useNarrow(): [boolean, (isNarrow: boolean) => void] {
  const [isNarrow, setNarrow] = useState(() => localStorage.getItem(narrowKey) !== null);
  return [
    isNarrow,
    (wanted) => {
      setNarrow(wanted);
      if (wanted) localStorage.setItem(narrowKey, 'true');
      else localStorage.removeItem(narrowKey);
    },
  ];
}

/** The frame of every screen behind the sign-in. */
export function Inside() {
  const words = useWords(shellWords);
  const location = useLocation();
  const { data: session } = useQuery(sessionQuery);
  const [isOpen, { toggle, close }] = useDisclosure();
  const [isNarrow, setNarrow] = useNarrow();
  useHotkeys([['mod+K', openPalette]], [], true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a phone's menu closes when the screen changes
  useEffect(close, [location.pathname]);
  if (!session) return <ToSignIn />;
  return (
    <div className="frame" data-narrow={isNarrow || undefined}>
      <header>
        <a href="#content" className="skip-link">
          {words.skip}
        </a>
        <Group h="100%" px="sm" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <ActionIcon
              variant="subtle"
              size="lg"
              hiddenFrom="sm"
              onClick={toggle}
              aria-label={words.menu}
              aria-expanded={isOpen}
            >
              {isOpen ? <IconX size={20} /> : <IconMenu2 size={20} />}
            </ActionIcon>
            <Link to="/projects" className="plain" aria-label="Bottega">
              <Group gap={8} wrap="nowrap">
                <img src="/favicon.svg" width={22} height={22} alt="" />
                <Text fw={650}>Bottega</Text>
              </Group>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <PaletteButton />
            <Suspense
              fallback={
                <ActionIcon component="span" variant="subtle" color="gray" size="lg" aria-hidden>
                  <IconBell size={18} stroke={1.7} />
                </ActionIcon>
              }
            >
              <Bell />
            </Suspense>
            <Suspense fallback={<Box w={34} />}>
              <AccountMenu name={session.user.name} email={session.user.email} picture={session.user.avatar_url} />
            </Suspense>
          </Group>
        </Group>
      </header>
      <nav aria-label={words.main} data-open={isOpen || undefined}>
        <Screens isAdmin={session.is_admin} />
        <Box visibleFrom="sm" component="button" type="button" className="place" onClick={() => setNarrow(!isNarrow)}>
          {isNarrow ? <IconLayoutSidebarLeftExpand {...small} /> : <IconLayoutSidebarLeftCollapse {...small} />}
          <span className="word">{isNarrow ? words.widen : words.narrow}</span>
        </Box>
      </nav>
      <main id="content" tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <Suspense fallback={null}>
        <Palette />
      </Suspense>
    </div>
  );
}

/**
 * Redirects to the sign-in page after the session has ended, with the previous URL. It does so only once, because this
 * component is rendered again with the new URL while the next screen loads.
 */
function ToSignIn() {
  const navigate = useNavigate();
  const { href } = useLocation();
  const [next] = useState(href);
  useEffect(() => void navigate({ to: '/sign-in', search: { next, ended: true } }), [navigate, next]);
  return <Loading />;
}

function Screens({ isAdmin }: { isAdmin: boolean }) {
  const words = useWords(shellWords);
  const screens = useScreens(isAdmin);
  return (
    <>
      <Link to="/new" className="place new">
        <IconPlus {...small} />
        <span className="word">{words.newProject}</span>
      </Link>
      {screens.map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} className="place" title={label}>
          <Icon {...small} />
          <span className="word">{label}</span>
        </Link>
      ))}
      <Box mt="auto">
        {[
          { href: '/guide/', label: words.guide, icon: IconBook },
          { href: '/docs/', label: words.documentation, icon: IconApi },
        ].map(({ href, label, icon: Icon }) => (
          <a key={href} href={href} className="place" title={label}>
            <Icon {...small} />
            <span className="word">{label}</span>
          </a>
        ))}
      </Box>
    </>
  );
}

function PaletteButton() {
  const words = useWords(shellWords);
  return (
    <>
      <Button
        variant="default"
        visibleFrom="xs"
        // The width is fixed, because the heading of a project is beside the button, and its text has a different width
        // in each language.
        w={222}
        onClick={() => void openPalette()}
        leftSection={<IconSearch size={15} />}
        rightSection={<kbd aria-hidden>Ctrl K</kbd>}
        styles={{ label: { color: 'var(--mantine-color-dimmed)', fontWeight: 400 } }}
      >
        {words.search}
      </Button>
      <ActionIcon
        variant="default"
        size="lg"
        hiddenFrom="xs"
        onClick={() => void openPalette()}
        aria-label={words.search}
      >
        <IconSearch size={16} />
      </ActionIcon>
    </>
  );
}
