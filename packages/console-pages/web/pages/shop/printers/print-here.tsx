import { useState } from 'react';
import { isKeptOn, keepOn, Switch } from '../../../components/index.ts';
import { beginPrinting, switchName } from './own-tickets.ts';

export function PrintHereSwitch() {
  const [isOn, setOn] = useState(() => isKeptOn(switchName));
  const turn = (on: boolean) => {
    keepOn(switchName, on);
    if (on) beginPrinting();
    setOn(on);
  };
  return (
    <>
      <Switch label="Print a ticket of each new order from this browser" isOn={isOn} onTurn={turn} />
      <p className="quiet">
        For a printer with paper of 80 mm at this device. While the page Orders is open, each order that arrives is printed once. The
        browser asks before each ticket, unless it is started for printing without asking (Chrome: --kiosk-printing).
      </p>
    </>
  );
}
