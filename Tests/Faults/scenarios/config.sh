name="change a setting"
modes="$errors EIO+ race $power"
. "$HERE/settings.sh"

setup() { two_items && sbfs config name before; }

change() { sbfs config purgeDays 30; }

durable() { [ "$(sbfs config purgeDays)" = 30 ]; }
