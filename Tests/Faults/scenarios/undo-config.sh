name="undo a changed setting"
modes="$errors EIO+ race $power"
. "$HERE/settings.sh"

setup() { two_items && sbfs config name before && sbfs config purgeDays 30; }

change() { sbfs undo; }

durable() { [ "$(sbfs config purgeDays)" = 10 ]; }
