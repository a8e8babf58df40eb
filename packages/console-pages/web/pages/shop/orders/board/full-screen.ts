export const enterFullScreen = (): void => void document.documentElement.requestFullscreen?.().catch(() => undefined);

export const leaveFullScreen = (): void => {
  if (document.fullscreenElement) void document.exitFullscreen();
};

export const toggleFullScreen = (): void => (document.fullscreenElement ? leaveFullScreen() : enterFullScreen());
