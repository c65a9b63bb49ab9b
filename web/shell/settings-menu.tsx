import { Bell, BellOff, CircleQuestionMark, Monitor, Moon, Settings2, Sun } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { themeChoice, useChosenTheme } from '../ui/theme-choice.ts';
import { toast } from '../ui/toasts.ts';
import { askForNotices, hasNotices, stopNotices } from './notices.ts';
import { overlays } from './overlays.ts';

const THEMES = [
  { word: 'system', label: 'Colours of the system', icon: <Monitor size={14} aria-hidden /> },
  { word: 'light', label: 'Light', icon: <Sun size={14} aria-hidden /> },
  { word: 'dark', label: 'Dark', icon: <Moon size={14} aria-hidden /> },
] as const;

export function SettingsMenu(): ReactNode {
  const theme = useChosenTheme();
  const notices = useNoticesItem();
  const themes = THEMES.map(({ word, label, icon }) => ({
    label,
    icon,
    isChosen: theme === word,
    onSelect: () => themeChoice.choose(word),
  }));
  const help = {
    label: 'Keyboard shortcuts',
    icon: <CircleQuestionMark size={14} aria-hidden />,
    hint: <Kbd keys="?" />,
    onSelect: () => overlays.show('help'),
  };
  const trigger = (
    <IconButton label="Settings">
      <Settings2 size={15} aria-hidden />
    </IconButton>
  );
  return <Menu trigger={trigger} items={[...themes, notices, help]} />;
}

function useNoticesItem(): MenuItem {
  const [isTelling, setTelling] = useState(hasNotices);
  const toggle = async (): Promise<void> => {
    if (isTelling) stopNotices();
    else if (!(await askForNotices())) {
      const hint = 'Its settings for this site say so.';
      toast({ tone: 'warn', title: 'The browser does not allow notifications here.', hint });
    }
    setTelling(hasNotices());
  };
  return {
    label: isTelling ? 'Stop notifications' : 'Notify me when a run needs me',
    icon: isTelling ? <BellOff size={14} aria-hidden /> : <Bell size={14} aria-hidden />,
    onSelect: () => void toggle(),
  };
}
