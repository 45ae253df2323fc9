from typing import Final

# Rules that no move and no options can break: facts, permissions and automatic effects.
UNBREAKABLE: Final = {
    *("TENERIFE-SETUP-3", "TENERIFE-MASON-1", "TENERIFE-FARMER-1", "TENERIFE-FARMER-2", "TENERIFE-FARMER-3"),
    *("TENERIFE-MERCHANT-1", "TENERIFE-MERCHANT-3", "TENERIFE-THIEVES-1", "TENERIFE-THIEVES-2"),
    *("TENERIFE-THIEVES-3", "TENERIFE-ROB-MERCHANT-1", "TENERIFE-HALL-1"),
}
